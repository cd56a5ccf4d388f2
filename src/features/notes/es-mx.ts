export const esMx = {
  events: { note_changed: 'Un usuario del panel cambió la nota interna' },
  results: { note_saved: 'La nota quedó guardada.' },
  refusals: { note_closed: 'Los datos de este pedido se borraron, así que ya no lleva nota.' },
  title: 'Nota interna',
  label: 'Texto de la nota',
  hint: 'El cliente no la ve. Se borra con sus datos. No escribas datos de tarjeta.',
  save: 'Guardar la nota',
  problem: 'Escribe la nota con {{limit}} caracteres como máximo.',
};
