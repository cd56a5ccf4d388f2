export const esMx = {
  heading: 'Finalizar compra',
  question: '¿Cómo quieres pagar?',
  hint: 'Te llevamos a la página del servicio de pagos. Ahí escribes los datos de tu tarjeta y luego regresas aquí.',
  pay: 'Pagar en la página segura',
  payTotal: 'Pagar {{total}}',
  choose: 'Mejor pagar en la página segura',
};
