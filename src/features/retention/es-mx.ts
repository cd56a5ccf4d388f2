export const esMx = {
  details: {
    erased: 'Pedidos con datos borrados: {{value}}.',
    review: 'Pedidos sin borrar, por revisar: {{value}}.',
    payment: 'Pedidos sin borrar, con un pago o reembolso sin resolver: {{value}}.',
    shipment: 'Pedidos sin borrar, por entregar: {{value}}.',
  },
  copy: 'Descargar los datos del cliente',
  copyHint:
    'Un archivo JSON para el cliente que pide sus datos: todo lo guardado de los pedidos con este correo. La descarga queda en el historial.',
  erase: 'Borrar los datos del cliente',
  eraseHint:
    'Se borran el nombre, el correo, el teléfono, la dirección y los demás datos personales de todos los pedidos con este correo, o con este teléfono si no hay correo. No se pueden recuperar. Los totales y los pagos se conservan. No se borran los pedidos en revisión, por entregar, o con un pago o reembolso sin resolver.',
  eraseConfirmation: 'Para confirmar, escribe el número del pedido, el correo o el teléfono',
  eraseProblem: 'Escribe {{number}} o el correo o teléfono del pedido.',
  events: {
    personal_data_copied: 'Un usuario del panel descargó los datos personales',
    personal_data_erased: 'Se borraron los datos personales',
    erasure_requested: 'Un usuario del panel borró los datos del cliente',
  },
  results: { erased: 'La solicitud quedó atendida.' },
  refusals: { erased_before: 'Los datos de este pedido ya se habían borrado.' },
};
