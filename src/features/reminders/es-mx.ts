export const esMx = {
  jobs: { reminder: 'Recordatorio de pago por correo' },
  setting: 'Recordatorio de pago, en horas',
  settingHint:
    'Cuántas horas después de un pedido sin pagar se manda un correo con su enlace. Vacío: no se manda. Los pedidos hechos mientras no se manda no lo reciben después.',
  subject: 'Tu pedido {{number}} sigue sin pagar',
  heading: 'Tu pedido {{number}} te espera',
  unpaid: 'No recibimos ningún pago de tu pedido {{number}}, por {{total}}.',
  until: 'Te quedan {{left}}: puedes pagarlo a este precio hasta el {{time}}, mientras haya existencias.',
  days_one: '{{count}} día',
  days_many: '{{count}} días',
  days_other: '{{count}} días',
  hours_one: '{{count}} hora',
  hours_many: '{{count}} horas',
  hours_other: '{{count}} horas',
  paid: 'Si acabas de pagarlo, no lo pagues otra vez: el enlace dice cuándo lo confirmamos.',
  link: 'Pagar el pedido',
  closing: 'Si ya no lo quieres, no tienes que hacer nada. No te mandaremos otro recordatorio.',
};
