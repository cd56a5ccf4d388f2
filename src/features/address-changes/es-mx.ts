export const esMx = {
  jobs: {
    address_changed: 'Aviso de cambio de dirección por correo',
    merchant_address_changed: 'Aviso de cambio de dirección para ti',
  },
  correction: 'Corregir la dirección',
  hint: 'El cliente ve la dirección corregida en la página de su pedido. Él y la tienda reciben un correo sobre el cambio.',
  former: 'Direcciones anteriores',
  replaced: 'Reemplazada el {{at}} por {{by}}:',
  submit: 'Guardar la dirección',
  events: { address_corrected: 'Un usuario del panel corrigió la dirección de entrega' },
  results: { address_corrected: 'La dirección quedó corregida.' },
  refusals: {
    address_unchanged: 'La dirección ya era esa. No había nada que cambiar.',
    address_not_open: 'La dirección de este pedido no se puede corregir ahora. No se guardó nada.',
  },
  mail: {
    heading: 'Cambió la dirección de entrega del pedido {{number}}',
    by: 'La cambió el usuario {{by}} en el panel de administración.',
    before: 'Antes: {{address}}.',
    after: 'Ahora: {{address}}.',
    closing: 'Si no pediste este cambio, escríbenos hoy mismo.',
  },
};
