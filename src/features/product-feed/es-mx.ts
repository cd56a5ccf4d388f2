export const esMx = {
  link: 'Lista de productos para Google y Meta (XML)',
};
