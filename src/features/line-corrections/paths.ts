export const lineCorrectionsPaths = {
  lines: '/admin/orders/:number/lines',
} as const;
