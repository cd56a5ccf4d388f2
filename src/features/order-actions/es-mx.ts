export const esMx = {
  details: { cancelReason: 'Motivo: {{value}}.' },
  resend: 'Reenviar el recibo',
  cancel: 'Cancelar el pedido',
  cancelHint:
    'El enlace de pago deja de servir, se liberan los productos reservados y el cliente ve que el pedido se cerró. Si el cliente todavía paga en una página de pago abierta, el pedido queda pagado. Si se pagó por fuera y no lo cuentas como venta, descuenta tú las piezas.',
  cancelReason: 'Motivo',
  chooseReason: 'Elige un motivo',
  cancelReasonProblem: 'Elige un motivo.',
  cancelText: 'Detalle',
  cancelTextHint: 'Obligatorio con «Otro motivo». Queda en el historial. No escribas datos personales.',
  cancelTextProblem: 'Escribe el detalle en un solo renglón, de 1 a {{limit}} caracteres.',
  words: {
    cancelReason: {
      not_wanted: 'El cliente ya no lo quiere',
      paid_outside: 'Se pagó por fuera, sin contarlo como venta',
      price_or_stock: 'Cambió el precio o la existencia',
      other: 'Otro motivo',
    },
  },
  events: { receipt_resent: 'Un usuario del panel reenvió el recibo' },
  results: { receipt_queued: 'El recibo se volverá a enviar en un momento.', cancelled: 'El pedido quedó cancelado.' },
  refusals: {
    receipt_waiting: 'El recibo ya está en cola para enviarse, o se envió cinco veces en un día.',
    no_receipt: 'Este pedido no tiene un recibo que enviar.',
    answer_awaited: 'Hay un pago que se está iniciando o cuyo resultado no se conoce. Inténtalo en un minuto.',
    not_cancellable: 'El estado actual del pedido no permite cancelarlo.',
  },
};
