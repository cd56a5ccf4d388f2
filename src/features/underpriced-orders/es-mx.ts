export const esMx = {
  heading: 'Pedidos con un precio menor',
  count_one: '{{count}} pedido sin pagar tiene este producto a un precio menor que el actual.',
  count_many: '{{count}} pedidos sin pagar tienen este producto a un precio menor que el actual.',
  count_other: '{{count}} pedidos sin pagar tienen este producto a un precio menor que el actual.',
  countMany: 'Más de {{limit}} pedidos sin pagar tienen este producto a un precio menor que el actual.',
  end: 'Terminar sus enlaces de pago',
  endHint:
    'Los pedidos se cancelan y ya no se pueden pagar a ese precio. Un pago que ya se hizo todavía puede llegar. Cada vez se terminan hasta 500.',
  ended_one: 'Se terminó {{count}} enlace de pago.',
  ended_many: 'Se terminaron {{count}} enlaces de pago.',
  ended_other: 'Se terminaron {{count}} enlaces de pago.',
  skipped_one: 'Se omitió {{count}} pedido: su pago puede confirmarse pronto.',
  skipped_many: 'Se omitieron {{count}} pedidos: su pago puede confirmarse pronto.',
  skipped_other: 'Se omitieron {{count}} pedidos: su pago puede confirmarse pronto.',
};
