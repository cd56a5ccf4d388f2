export const productEditorPaths = {
  // Not below the list: `new` may be the id of a product.
  newProduct: '/admin/products-new',
  deleteProduct: '/admin/products/:id/delete',
} as const;
