export const contactChangesPaths = {
  contact: '/admin/orders/:number/contact',
} as const;
