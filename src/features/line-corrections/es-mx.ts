export const esMx = {
  title: 'Corregir el pedido {{number}}',
  link: 'Corregir los productos',
  intro:
    'Un pedido que ya existe no cambia: al guardar se crea uno nuevo, a los precios de hoy, y este se cierra. El enlace de este pedido lleva entonces al nuevo.',
  results: {
    lines_corrected: 'El pedido nuevo quedó creado en lugar del anterior. Manda su enlace de pago al cliente.',
  },
  refusals: {
    lines_paid: 'Este pedido ya está pagado. No se cambió nada.',
    lines_in_review: 'Este pedido está en revisión. Decide primero qué pasa con su pago. No se cambió nada.',
    lines_answer_awaited: 'Un pago de este pedido está en curso y todavía no tiene respuesta. No se cambió nada.',
    lines_other_environment:
      'Un pago de este pedido se hizo en otro ambiente de la pasarela y no se puede consultar. No se cambió nada.',
    lines_open: 'El cliente puede estar pagando en su banco. Inténtalo en unos minutos. No se cambió nada.',
    lines_unanswered:
      'La pasarela no confirmó que el cliente no está pagando. Inténtalo en unos minutos. No se cambió nada.',
    lines_other_order:
      'Otro pedido de la misma compra está en curso, está pagado o reemplazó a este. No se cambió nada.',
  },
};
