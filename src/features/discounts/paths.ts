export const discountsPaths = {
  discounts: '/admin/discounts',
  endDiscount: '/admin/discounts/:code/end',
} as const;

export function endDiscountPath({ code }: { readonly code: string }): string {
  return `${discountsPaths.discounts}/${code}/end`;
}
