export const esMx = {
  jobs: { merchant_paid: 'Aviso de pedido pagado para ti', merchant_review: 'Aviso de revisión para ti' },
  paid: 'El pedido {{number}} está pagado',
  review: 'El pedido {{number}} requiere tu revisión',
  state: 'Estado actual: {{state}}.',
  remainder: 'Después de reembolsos quedan {{amount}}.',
  customer: 'Cliente',
  setting: 'Correo de cada venta',
  sentTo: 'Te lo mandamos a {{email}}.',
  noAddress: 'No se manda ninguno: falta tu dirección (MERCHANT_EMAIL). Pídela a quien instaló la tienda.',
};
