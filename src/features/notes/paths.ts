export const notesPaths = {
  note: '/admin/orders/:number/note',
} as const;
