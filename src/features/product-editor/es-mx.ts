export const esMx = {
  new: 'Nuevo producto',
  create: 'Crear producto',
  idHint:
    'Por ejemplo tu SKU: letras sin acento, dígitos, - y _. No se puede cambiar después. Si lo dejas vacío, se forma con el nombre.',
  isFeatured: 'Destacado: aparece entre los primeros de la tienda',
  visibleHint: 'Si todavía le falta algo, guárdalo oculto y ponlo en venta después.',
  more: 'Más datos (opcional)',
  categoryHint: 'Elige una de la lista o escribe una nueva.',
  claveHint: 'Para facturas: 8 dígitos del catálogo del SAT. Puede quedar vacía.',
  unitHint: 'Para facturas, por ejemplo H87 (pieza). Puede quedar vacía.',
  variantOfHint: 'La clave del producto principal del grupo. Déjalo vacío si no es variante de otro.',
  attributeHint: 'Para Google y Meta. Sin este dato, cada variante está ahí como un producto aparte.',
  common: 'Para todas las variantes',
  addVariant: 'Agregar una variante',
  addedHint:
    'Escribe lo que la distingue, por ejemplo «roja» o «chica». Sin precio o peso, tiene los de la principal. Si no agregas ninguna, deja todo vacío.',
  thisProduct: 'Este producto',
  firstHint: 'Para agregar variantes, escribe también la de este producto, por ejemplo «azul» o «grande».',
  addedIdHint: 'Por ejemplo tu SKU. Si la dejas vacía, se forma con la clave principal y la variante.',
  duplicate: 'Duplicar',
  delete: 'Eliminar el producto',
  deleteHint:
    'Si ningún pedido lo contiene, se elimina con su historial, y los carritos que lo tienen avisan que ya no está a la venta. Si está en un pedido o tiene variantes, solo se oculta.',
  deleteNow: 'Eliminar {{name}}',
  outcomes: {
    created: 'Creamos el producto.',
    created_hidden: 'Creamos el producto, todavía oculto. Agrega su imagen y ponlo en venta.',
    deleted: 'Eliminamos el producto.',
    hidden: 'Un pedido contiene el producto, o tiene variantes. Por eso lo ocultamos y no lo eliminamos.',
  },
  problems: {
    id: 'Escribe una clave que ningún otro producto tenga: de 1 a 64 letras sin acento, dígitos, - o _.',
    tax_rate: 'Elige una tasa de la lista.',
    requires_shipping: 'Elige sí o no.',
    clave_prod_serv: 'Escribe los 8 dígitos de la clave, o deja el campo vacío.',
    clave_unidad: 'Escribe de 1 a 3 letras o dígitos, o deja el campo vacío.',
    variant_attribute: 'Elige una opción de la lista.',
    variant_of: 'Escribe la clave de un producto que tenga su propia variante y que no sea variante de otro.',
    missing: 'Falta: {{label}}.',
    name: 'Escribe el nombre en un solo renglón, con {{limit}} caracteres como máximo y sin empezar con =, +, - o @.',
    description: 'Escribe la descripción con {{limit}} caracteres como máximo y sin empezar con =, +, - o @.',
    image_alt:
      'Describe la imagen en un solo renglón, con {{limit}} caracteres como máximo y sin empezar con =, +, - o @.',
    category:
      'Escribe la categoría en un solo renglón, con {{limit}} caracteres como máximo y sin empezar con =, +, - o @.',
    variant:
      'Escribe la variante en un solo renglón, con {{limit}} caracteres como máximo y sin empezar con =, +, - o @.',
  },
};
