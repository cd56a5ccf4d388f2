const states = {
  sending: 'Enviándose',
  succeeded: 'Reembolsado',
  pending: 'En proceso',
  refused: 'No se hizo',
  unknown: 'Resultado desconocido',
  recorded: 'Registrado',
};

export const esMx = {
  setting: 'Reembolsos parciales',
  settingHint: 'Permite devolver una parte de lo pagado.',
  csv: 'Reembolsado',
  cards: {
    open: 'Reembolsos por resolver',
    openHint: 'No se sabe si el dinero se devolvió, o la pasarela todavía lo procesa. Abre el pedido y resuélvelo.',
  },
  jobs: {
    refunded: 'Aviso de reembolso por correo',
    on_refunded: 'Notificación de reembolso a tu sistema (on-refunded)',
  },
  details: { refund: 'Reembolso: {{value}}.' },
  events: {
    refund_started: 'Un usuario del panel inició un reembolso o registró un contracargo',
    refund_changed: 'Cambió el estado de un reembolso',
    refund_repeated: 'Un usuario del panel pidió otra vez el mismo reembolso',
    refund_unchanged: 'Se consultó un reembolso y sigue igual',
  },
  title: 'Reembolsos',
  facts: {
    paid: 'Pagado',
    refunded: 'Reembolsado',
    chargedBack: 'Contracargos',
    inFlight: 'Reembolso sin resolver',
    left: 'Aún se puede reembolsar',
  },
  ways: {
    gateway: 'Reembolsar…',
    record: 'Registrar un reembolso hecho en la pasarela…',
    chargeback: 'Registrar un contracargo…',
  },
  recordOutside: 'Registrar un reembolso…',
  kinds: {
    refund: 'Reembolso de {{amount}}',
    chargeback: 'Contracargo de {{amount}}',
    reversal: 'Anulación del pago por fuera de {{amount}}',
  },
  states,
  about: {
    sending: 'Lo estamos pidiendo a la pasarela. Recarga la página en un minuto.',
    pending:
      'La pasarela recibió el reembolso y todavía lo procesa. Se actualiza cuando la pasarela nos avisa. Si tarda varios días, búscalo en el panel de la pasarela. Mientras tanto, no entregues el pedido.',
    refused: 'No se devolvió nada. El motivo de la pasarela está en su respuesta. Puedes intentarlo otra vez.',
    unknown:
      'Pedimos el reembolso y no recibimos una respuesta clara: es posible que el dinero ya se haya devuelto. Búscalo en el panel de la pasarela antes de hacer otra cosa. Mientras tanto, no entregues el pedido ni devuelvas el dinero por otro medio.',
  },
  recorded: {
    reason: 'Motivo',
    day: 'Día',
    by: 'Usuario',
    at: 'Registrado el',
    gatewayRefundId: 'ID del reembolso en la pasarela',
    gatewayStatus: 'Respuesta de la pasarela',
    stock: 'Inventario',
  },
  check: 'Consultar el reembolso',
  idHint: 'Cópialo del panel de la pasarela. Lo consultamos ahí antes de aceptarlo.',
  idProblem: 'Escribe el ID como lo muestra la pasarela: letras, números y los signos . _ : -',
  repeat: 'Pedirlo otra vez con el mismo identificador',
  repeatHint:
    'Hazlo solo si el reembolso no aparece en el panel de la pasarela. Se envía con el mismo identificador para que la pasarela no reembolse dos veces, pero la pasarela no lo garantiza.',
  seen: 'Ya lo busqué en el panel de la pasarela',
  seenHint:
    'Responde solo lo que viste ahí. Tu respuesta queda en el historial y no se puede cambiar. Si respondes que no se reembolsó, se podrá pedir otro reembolso.',
  refunded: 'Sí se reembolsó',
  notRefunded: 'No se reembolsó',
  words: {
    refund: states,
    source: {
      answer: 'Origen: respuesta de la pasarela.',
      webhook: 'Origen: evento de webhook y consulta.',
      check: 'Origen: consulta desde el panel de administración.',
      repeat: 'Origen: segundo envío con el mismo identificador.',
      person: 'Origen: respuesta de un usuario del panel.',
      lease: 'Origen: el proceso se detuvo antes de recibir la respuesta.',
    },
  },
  form: {
    titles: { gateway: 'Reembolsar un pago', record: 'Registrar un reembolso', chargeback: 'Registrar un contracargo' },
    effects: {
      recordOutside:
        'La tienda no llama a la pasarela: aquí solo registras el dinero que ya devolviste. El cliente recibe un correo.',
      gateway: 'Al confirmar, la tienda le pide este reembolso a la pasarela. No se puede deshacer.',
      record:
        'La tienda no llama a la pasarela: aquí solo registras un reembolso que ya hiciste en su panel. Los pagos de la página de la pasarela siempre se reembolsan ahí. El cliente recibe un correo.',
      chargeback:
        'La tienda no llama a la pasarela: aquí solo registras que el banco del cliente retiró el dinero. El cliente no recibe ningún correo y el pedido ya no se entrega.',
    },
    back: 'Volver al pedido {{number}}',
    amount: 'Monto',
    amountHint: 'En pesos, {{limit}} como máximo. Por ejemplo 1,099.00.',
    reason: 'Motivo',
    reasonHint: 'Solo lo ven los usuarios de este panel. No escribas datos de tarjeta ni personales.',
    day: { record: 'Día en que hiciste el reembolso', chargeback: 'Día en que el banco retiró el dinero' },
    dayHint: 'Día de la Ciudad de México.',
    stock: '¿Los productos vuelven al inventario?',
    stockHint:
      'Vuelven todas estas piezas: {{pieces}}. Elige «Sí» solo si las tienes todas. Con «No», ninguna vuelve con otro reembolso.',
    stockStays:
      'No vuelve ninguna pieza al inventario: {{pieces}}. Un reembolso anterior de este pago se hizo sin devolverlas. Si ya tienes alguna, súmala en Productos.',
    noPieces: 'Las existencias de estos productos no se cuentan: el inventario no cambia.',
    yes: 'Sí, vuelven al inventario',
    no: 'No, el inventario no cambia',
    continue: 'Continuar',
    type: 'Para confirmar, escribe el monto: {{amount}}',
    submit: {
      gateway: 'Reembolsar {{amount}}',
      record: 'Registrar el reembolso de {{amount}}',
      chargeback: 'Registrar el contracargo de {{amount}}',
    },
    edit: 'Cambiar los datos',
    problems: {
      changed:
        'El pedido cambió mientras llenabas este formulario y no se reembolsó ni se registró nada con él. Revisa los montos y continúa.',
      not_offered: 'Este pago no se puede reembolsar así.',
      other_key:
        'El pago se hizo con otra clave de API y la pasarela no lo confirma con la actual. No se reembolsó nada. Intenta otra vez o reembólsalo en el panel de la pasarela.',
      no_payment: 'Este pago ya no se puede reembolsar.',
      in_flight: 'Este pago tiene otro reembolso sin resolver.',
      amount: 'Escribe un monto mayor que cero y de {{limit}} como máximo, por ejemplo 1,099.00.',
      partial: 'Solo se puede reembolsar el monto completo: {{limit}}.',
      day: 'Elige un día desde la fecha del pedido hasta hoy.',
      goods: 'Los productos solo vuelven al inventario con un reembolso completo: {{limit}}.',
      reason: 'Escribe un motivo de 1 a 200 caracteres.',
      stock_missing: 'Elige si los productos vuelven al inventario.',
      typed: 'El monto no coincide. No se reembolsó ni se registró nada.',
    },
  },
  refusals: {
    refund_not_possible: 'Este pago no se puede reembolsar así en este momento. Revisa la sección Reembolsos.',
    refund_unchanged: 'Consultamos a la pasarela y su respuesta no cambia nada. El reembolso sigue sin resolver.',
    refund_unreachable:
      'No pudimos consultar el reembolso: la pasarela no respondió o no lo encuentra con ese ID. Búscalo en su panel.',
    refund_changed: 'El pedido cambió mientras lo veías y no se hizo nada. Revisa la sección Reembolsos.',
    refund_late: 'La tienda está ocupada y no pidió el reembolso. Espera un minuto y vuelve a intentarlo.',
    refund_not_open: 'El estado actual del reembolso no permite esta acción. No se hizo nada.',
    refund_sending: 'Estamos pidiendo el reembolso a la pasarela. Recarga la página en un minuto.',
    refund_pending: 'La pasarela recibió el reembolso y todavía lo procesa.',
    refund_refused: 'El reembolso no se hizo. No se devolvió nada.',
    refund_unknown:
      'No sabemos si el reembolso se hizo. Búscalo en el panel de la pasarela y resuélvelo en la sección Reembolsos.',
  },
  results: {
    refund_succeeded: 'El reembolso se hizo.',
    refund_recorded: 'Quedó registrado. La tienda no movió dinero.',
  },
  mail: {
    subject: 'Reembolso de tu pedido {{number}}',
    heading: 'Tu reembolso, {{name}}',
    returned: 'Te reembolsamos {{amount}} de tu pedido {{number}}.',
    full: 'Con esto te devolvimos todo lo que pagaste por este pedido.',
    partial: 'Es una parte de lo que pagaste. El resto de tu pedido sigue igual.',
    extra: 'Recibimos más de un pago de este pedido y te devolvimos el pago de más. Tu pedido sigue igual.',
    when: 'Puede tardar unos días en aparecer en tu cuenta.',
    closing: 'Guarda este correo por si lo necesitas.',
  },
};
