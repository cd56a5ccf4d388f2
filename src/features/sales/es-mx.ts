export const esMx = {
  title: 'Ventas de los últimos 30 días',
  total: 'Ventas',
  paid: 'Pedidos pagados',
  conversion: 'De los pedidos hechos, se pagaron',
  share: '{{paid}} de {{placed}} ({{share}})',
  median: 'Tiempo típico entre el pedido y su pago',
  byDay: 'Ventas por día',
  byDayChart: 'Gráfica de barras de las ventas diarias, del {{first}} al {{last}}. Mayor venta diaria: {{max}}.',
  byState: 'Pedidos por estado',
  asTable: 'Ver como tabla',
  day: 'Día',
  orders: 'Pedidos',
  part: '%',
  nothing: 'Todavía no hay pedidos en este periodo.',
  counted:
    'Los reembolsos y contracargos se restan el día en que se hicieron. Datos al {{at}}, actualizados como máximo una vez por minuto. Días de la Ciudad de México.',
};
