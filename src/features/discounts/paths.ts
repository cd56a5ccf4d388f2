export const discountsPaths = {
  discounts: '/admin/discounts',
  endDiscount: '/admin/discounts/:code/end',
} as const;
