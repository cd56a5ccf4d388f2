import { brand } from '../../locales/brand.js';

export const esMx = {
  link: '¿Dónde está mi pedido?',
  jobs: { order_link: 'Enlace al pedido por correo' },
  mail: {
    subject: 'El enlace a tu pedido {{number}}',
    heading: 'Tu pedido {{number}}',
    asked: 'La tienda recibió una solicitud del enlace a este pedido con tu correo. Aquí está.',
    notYou: 'Si no lo pediste, no tienes que hacer nada. El enlace solo te llegó a ti.',
  },
  title: 'Buscar mi pedido',
  heading: '¿Dónde está mi pedido?',
  intro: 'Escribe el número de tu pedido y el correo con el que compraste. Te mandamos el enlace a ese correo.',
  number: 'Número de pedido',
  numberHint: `Por ejemplo ${brand.orderPrefix}-7KMX-2AFR. Está en tu recibo.`,
  numberRequired: 'Escribe el número de pedido.',
  numberInvalid: `Ese número no está completo. Tiene la forma ${brand.orderPrefix}-7KMX-2AFR.`,
  email: 'Correo con el que compraste',
  submit: 'Mandarme el enlace',
  sentHeading: 'Revisa tu correo',
  sent: 'Si el número y el correo son de un mismo pedido, en unos minutos te llega el enlace. Por seguridad no te decimos aquí si existe.',
  sentHint: 'Si no llega, busca en el correo no deseado y revisa que ambos datos estén bien escritos.',
  again: 'Buscar otra vez',
};
