export const closingPaths = { closing: '/admin/closing' } as const;
