export const esMx = {
  link: 'Lista de productos para Google y Meta (XML), sin claves de más de {{limit}} caracteres, imágenes SVG ni precios de envío por estado. Esos precios se escriben en Google Merchant Center.',
  noIdentifiers: 'Mis productos no tienen código de barras (GTIN) ni número de fabricante, como los hechos a mano',
  noIdentifiersHint: 'La lista para Google lo dice de cada producto. Sin esto, Google los muestra menos.',
};
