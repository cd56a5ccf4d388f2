export const esMx = {
  jobs: {
    contact_changed: 'Aviso de datos corregidos por correo',
    contact_removed: 'Aviso al correo anterior',
  },
  correction: 'Corregir nombre, correo o teléfono',
  hint: 'El correo nuevo recibe un aviso con el enlace del pedido. El correo anterior recibe un aviso sin enlace ni datos.',
  newLink: 'Dar un enlace nuevo al pedido',
  newLinkHint:
    'Úsalo si el correo anterior es de otra persona. El enlace anterior deja de mostrar el pedido. Los pagos ya iniciados se confirman igual.',
  former: 'Datos anteriores',
  replaced: 'Reemplazados el {{at}} por {{by}}:',
  submit: 'Guardar los datos',
  events: {
    customer_data_corrected: 'Un usuario del panel corrigió los datos del cliente',
    link_replaced: 'El pedido tiene un enlace nuevo',
  },
  results: { contact_corrected: 'Los datos del cliente quedaron corregidos.' },
  refusals: {
    contact_unchanged: 'Los datos ya eran esos. No había nada que cambiar.',
    contact_erased: 'Los datos de este pedido se borraron. No se guardó nada.',
  },
  mail: {
    heading: 'Corregimos tus datos del pedido {{number}}',
    changed: 'Desde ahora, los avisos de este pedido llegan a este correo.',
    follow: 'Con el enlace puedes ver el pedido cuando quieras.',
    removedHeading: 'Este correo ya no recibe avisos del pedido {{number}}',
    removed: 'La tienda corrigió el correo de un pedido que tenía esta dirección.',
    shop: 'Ir a la tienda',
    closing: 'Si no pediste este cambio, escríbenos hoy mismo.',
  },
};
