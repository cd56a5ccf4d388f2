export const underpricedOrdersPaths = { endLinks: '/admin/products/:id/end-links' } as const;
