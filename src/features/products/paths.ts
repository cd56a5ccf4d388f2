export const productsPaths = {
  products: '/admin/products',
  productsStock: '/admin/products-stock',
  product: '/admin/products/:id',
  productStock: '/admin/products/:id/stock',
  releaseProduct: '/admin/products/:id/release',
} as const;
