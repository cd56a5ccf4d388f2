export const esMx = {
  title: 'Pagar un pedido',
  summary: 'Pedido {{number}}',
  until: 'Puedes pagarlo a este precio hasta: {{time}}',
  payer: 'Quién paga',
  payerHint: 'Estos datos van solo al servicio de pagos. El recibo llega al correo de quien hizo el pedido.',
  emailHint: 'El servicio de pagos pide un correo. Solo él lo recibe.',
  fillCart: 'Poner lo que queda en un carrito nuevo',
  newer: 'Ver el pedido nuevo',
  order: 'Ver el pedido',
  cancel: 'Ya no quiero este pedido',
  cancelText:
    'El enlace dejará de funcionar y liberamos los artículos. Si ya pagaste, no lo canceles: espera la confirmación.',
  cancelConfirm: 'Cancelar el pedido',
  states: {
    open: { heading: 'Pagar tu pedido', text: 'Pedido {{number}}, total {{total}}. Revísalo y elige cómo pagarlo.' },
    paid: { heading: 'Este pedido ya está pagado', text: 'No hay nada más que pagar.' },
    waiting: {
      heading: 'Estamos confirmando un pago',
      text: 'Puede que este pedido ya esté pagado. No lo pagues otra vez: la página del pedido dice cuándo lo confirmamos.',
    },
    replaced: {
      heading: 'Este pedido se reemplazó por uno más nuevo',
      text: 'El carrito cambió después de hacer este pedido. Paga el pedido nuevo.',
    },
    ended: {
      heading: 'Este pedido ya no se puede pagar',
      text: 'Su plazo terminó o se canceló. Puedes hacer un pedido nuevo en la tienda.',
    },
    soldOut: {
      heading: 'Ya no quedan todos los artículos',
      text: 'Puedes comprar lo que queda con un pedido nuevo.',
    },
    closed: {
      heading: 'La tienda está cerrada por ahora',
      text: 'El aviso de arriba dice desde cuándo puedes pagar.',
    },
    codeEnded: {
      heading: 'El código {{code}} ya no está disponible',
      text: 'Puedes comprar lo mismo sin el código, con un pedido nuevo.',
    },
  },
};
