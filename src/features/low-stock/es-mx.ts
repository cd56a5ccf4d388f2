export const esMx = {
  nothingOnSale: 'Productos en venta',
  nothingOnSaleHint: 'Tu tienda todavía no vende nada.',
  addProducts: 'Agregar productos',
  soldOut: 'Productos agotados',
  soldOutHint: 'Están en venta y no tienen existencias.',
  low: 'Productos con pocas piezas',
  lowHint: 'Quedan {{count}} o menos.',
  lowOf: '{{name}}: {{stock}}',
  reserved: 'Productos con la mitad o más de sus piezas apartadas',
  reservedHint:
    'Para pedidos que todavía no se pagan. Si no parecen de clientes, libera las piezas en la página del producto.',
  reservedOf: '{{name}}: {{pieces}} de {{stock}}',
};
