export const addressChangesPaths = {
  address: '/admin/orders/:number/address',
} as const;
