export const productImportPaths = {
  importProducts: '/admin/products-import',
  applyImport: '/admin/products-import/apply',
  exportProducts: '/admin/products.csv',
} as const;
