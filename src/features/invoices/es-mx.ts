export const esMx = {
  csv: 'Factura: {{field}}',
  jobs: {
    invoice_link: 'Enlace para cambiar los datos de la factura',
    invoice_changed: 'Aviso de datos de factura por correo',
    invoice_issued: 'Factura por correo',
    on_invoice_requested: 'Solicitud de factura a tu sistema (on-invoice-requested)',
  },
  events: {
    invoice_requested: 'El cliente solicitó la factura',
    invoice_corrected: 'El cliente corrigió los datos de la factura',
    invoice_issued: 'Se marcó la factura como emitida',
  },
  results: {
    invoice_attached: 'El archivo quedó guardado. El cliente lo recibe cuando marques la factura como emitida.',
    invoice_issued: 'La factura quedó marcada como emitida.',
  },
  refusals: {
    invoice_closed: 'La factura ya estaba emitida, o el cliente cambió sus datos. Revísalos.',
    invoice_refunded:
      'De este pedido no queda nada por facturar, o tiene un reembolso sin resolver. No se guardó nada.',
  },
  list: 'Facturas',
  none: 'No hay facturas con estos filtros.',
  state: 'Estado',
  total: 'Total',
  time: 'Fecha',
  search: 'Buscar',
  states: { to_issue: 'Por emitir', issued: 'Emitidas' },
  issued: 'Tu factura se emitió el {{day}}.',
  files: {
    pdf: 'PDF (opcional)',
    xml: 'XML (opcional)',
    hint: 'Los archivos se envían al correo de la factura.',
    attach: 'Guardar archivo',
    download: 'Descargar',
    issue: 'Marcar como emitida',
    question:
      'Este XML parece de otra factura: {{differences}}. No se guardó. Si es el correcto, marca la casilla y elige el archivo otra vez.',
    keep: 'Guardar este XML de todos modos',
    differences: {
      version: 'la versión es {{found}}, no {{expected}}',
      rfc: 'el RFC del receptor es {{found}}, no {{expected}}',
      total: 'el total es {{found}}, no {{expected}}',
      currency: 'la moneda es {{found}}, no {{expected}}',
    },
    problems: {
      missing: 'Elige un archivo.',
      too_big: 'El archivo pesa más de {{limit}} MB.',
      busy: 'Hay otros archivos en proceso. Elige el archivo otra vez en unos segundos.',
      pdf: 'El archivo no es un PDF.',
      xml: 'El archivo no es el XML de una factura (CFDI 4.0), o tiene partes que un navegador ejecutaría.',
    },
  },
  issuedMail: {
    subject: 'Factura del pedido {{number}}',
    attached: 'Tu factura va adjunta a este correo.',
    wrong: 'Si algún dato no es correcto, responde a este correo.',
  },
  admin: {
    title: 'Datos para la factura',
    requested: 'Solicitada',
    corrected: 'Corregida',
    issued: 'Emitida',
    amount: 'Por facturar',
    refunded:
      'No queda nada por facturar, o hay un reembolso sin resolver. La factura no se puede marcar como emitida.',
    formerEmail:
      'El correo de la factura se reemplazó después en el pedido. Antes de emitirla, pregunta al cliente si es el correcto.',
    hint: 'La tienda no emite la factura. Un clic selecciona un dato completo para copiarlo.',
  },
  fields: {
    rfc: {
      label: 'RFC',
      required: 'Escribe el RFC.',
      invalid: 'Revisa el RFC. Tiene 12 o 13 caracteres, por ejemplo RUNE900228AB1.',
    },
    registered_name: {
      label: 'Nombre o razón social',
      required: 'Escribe el nombre o la razón social.',
      invalid: 'Escribe el nombre como está en tu constancia, en una sola línea.',
    },
    tax_regime: {
      label: 'Régimen fiscal',
      required: 'Elige el régimen fiscal.',
      invalid: 'Elige un régimen de la lista.',
    },
    cfdi_use: {
      label: 'Uso de la factura (CFDI)',
      required: 'Elige el uso de la factura.',
      invalid: 'Elige un uso de la lista.',
    },
  },
  heading: 'Factura',
  title: 'Solicitar factura',
  correct: 'Corregir los datos de la factura',
  order: 'Pedido {{number}}, total {{total}}',
  offer: '¿Necesitas factura? Pídela a más tardar el {{day}}.',
  received: 'Recibimos tus datos de facturación el {{day}}. La factura te llegará por correo.',
  receivedOnly: 'Recibimos tus datos de facturación el {{day}}. Si necesitas la factura, escríbenos.',
  intro:
    'Copia los datos tal como están en tu constancia de situación fiscal. Si alguno no coincide, el SAT rechaza la factura.',
  until: 'Puedes pedirla o corregir los datos hasta el {{day}}.',
  replaces: 'Ya recibimos datos para este pedido. Los que envíes ahora los reemplazan.',
  linkNeeded:
    'Ya recibimos datos para este pedido. Para cambiarlos, usa el navegador con el que compraste, o pide un enlace al correo del pedido.',
  linkUsed: 'Este enlace ya se usó o venció.',
  sendLink: 'Mandar el enlace al correo del pedido',
  linkSent: 'Si los datos todavía se pueden cambiar, el enlace llegará en unos minutos al correo del pedido.',
  limited: 'Los datos de este pedido ya se cambiaron {{count}} veces. Si necesitas otro cambio, escríbenos.',
  closed:
    'La factura de este pedido no se puede pedir aquí: el plazo terminó, o el pedido no está pagado, está en revisión o se reembolsó, o la factura ya se emitió. Si la necesitas, escríbenos.',
  choose: 'Elige una opción',
  submit: 'Enviar mis datos',
  back: 'Volver al pedido',
  hints: {
    rfc: '13 caracteres para una persona, 12 para una empresa.',
    registered_name: 'En una empresa, sin «S.A. de C.V.» ni otro régimen de capital.',
    tax_regime: 'El que está vigente en tu constancia.',
    cfdi_use:
      'Lo habitual es «Gastos en general». Si tu régimen es de sueldos o sin obligaciones, «Sin efectos fiscales».',
    postal_code: 'El de tu domicilio fiscal.',
    email: 'A este correo te llegará la factura.',
  },
  linkMail: {
    subject: 'Cambiar los datos de la factura del pedido {{number}}',
    heading: 'Datos de la factura del pedido {{number}}',
    asked:
      'La tienda recibió una solicitud para cambiar los datos de la factura de este pedido. El enlace sirve una vez, durante 24 horas.',
    link: 'Cambiar los datos de la factura',
    notYou: 'Si no lo pediste, no tienes que hacer nada: los datos no cambiaron.',
  },
  changedMail: {
    received: 'Recibimos los datos para la factura del pedido {{number}}',
    replaced: 'Cambiaron los datos para la factura del pedido {{number}}',
    what: 'Puedes revisarlos en la página de tu pedido, en el navegador con el que compraste.',
    notYou: 'Si no los enviaste, escríbenos hoy mismo, antes de que se emita la factura.',
  },
};
