export const esMx = {
  link: 'Lista de productos para Google y Meta (XML), sin claves de más de {{limit}} caracteres',
};
