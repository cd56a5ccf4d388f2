export const orderJobsPaths = {
  retryJob: '/admin/orders/:number/jobs',
} as const;
