export const esMx = {
  title: 'Imágenes de {{name}}',
  back: 'Volver al producto',
  intro:
    'La primera es la imagen del catálogo, del carrito y de los buscadores. Las demás se ven en la página del producto.',
  number: 'Imagen {{number}}',
  add: 'Agregar imágenes',
  progress: 'Subiendo la imagen {{number}} de {{count}}…',
  failed: 'No se pudo subir. Revisa tu conexión e inténtalo de nuevo.',
  hidden: 'El producto todavía está oculto.',
  show: 'Ponlo en venta en su página',
  ofNewProduct: 'Imágenes (opcional)',
  ofNewProductHint: 'La primera será la principal. Después puedes agregar más.',
  chooseAgain: 'Elige otra vez las imágenes: el navegador no las guarda.',
  file: 'Archivo',
  replace: 'Cambiar el archivo',
  fileHint:
    'JPEG, PNG o WebP de {{limit}} MB y {{megapixels}} megapíxeles como máximo. No se guardan la ubicación ni otros datos de la foto.',
  text: 'Descripción de la imagen',
  textIn: 'Descripción de la imagen ({{language}})',
  upload: 'Subir la imagen',
  save: 'Guardar',
  earlier: 'Mover antes',
  first: 'Poner primero',
  remove: 'Quitar',
  removeHint: 'Deja de verse en la tienda. Para verla de nuevo hay que subirla otra vez.',
  removeNow: 'Quitar la imagen',
  outcomes: {
    created: 'Creamos el producto.',
    saved: 'Guardamos los cambios.',
    changed_meanwhile:
      'El producto cambió mientras lo editabas y no guardamos nada. Revisa las imágenes y, si subías un archivo, elígelo de nuevo.',
    busy: 'Se están procesando otras imágenes. Espera 10 segundos y súbela de nuevo.',
  },
  textProblem:
    'Describe la imagen en un solo renglón, con {{limit}} caracteres como máximo y sin empezar con =, +, - o @.',
  problems: {
    missing: 'Elige un archivo.',
    too_big: 'El archivo pesa más de {{limit}} MB. Reduce la foto y súbela de nuevo.',
    type: 'El archivo no es una imagen JPEG, PNG o WebP.',
    pixels: 'La imagen tiene más de {{megapixels}} megapíxeles. Reduce la foto y súbela de nuevo.',
    damaged: 'La imagen está dañada o incompleta. Guárdala de nuevo en tu programa de fotos y súbela otra vez.',
    empty: 'El archivo está vacío. Elige otro.',
    memory:
      'Una imagen de este tipo puede tener menos megapíxeles. Guárdala como JPEG sin la opción «progresivo» y súbela de nuevo.',
  },
};
