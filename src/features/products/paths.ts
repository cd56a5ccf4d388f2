export const productsPaths = {
  products: '/admin/products',
  productsStock: '/admin/products-stock',
  // Not below the list: `new` may be the id of a product.
  newProduct: '/admin/products-new',
  product: '/admin/products/:id',
  deleteProduct: '/admin/products/:id/delete',
  productStock: '/admin/products/:id/stock',
  releaseProduct: '/admin/products/:id/release',
  endLinks: '/admin/products/:id/end-links',
} as const;
