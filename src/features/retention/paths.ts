export const retentionPaths = {
  copyOfData: '/admin/orders/:number/data',
  eraseCustomer: '/admin/orders/:number/erase',
} as const;
