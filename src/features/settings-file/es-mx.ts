export const esMx = {
  title: 'Archivo con todos los ajustes',
  hint: 'Sirve de copia, y para pasar los ajustes a otra tienda. No lleva el logotipo ni la imagen de inicio: súbelos aparte.',
  download: 'Descargar el archivo',
  fileLabel: 'Archivo que descargaste antes',
  fileHint: 'Reemplaza los ajustes de ahora. Lo puedes deshacer en los cambios anteriores.',
  import: 'Importar el archivo',
  outcomes: {
    refused: 'No importamos nada del archivo:',
    sample:
      'El archivo dejaría un texto o un dato de ejemplo, y la tienda no arrancaría la próxima vez. No cambiamos nada.',
    changed_meanwhile: 'Alguien cambió los ajustes al mismo tiempo y no importamos nada. Importa el archivo de nuevo.',
    busy: 'Se están procesando otros archivos. Espera 10 segundos e impórtalo de nuevo.',
  },
  problems: {
    noFile: 'No es un archivo de ajustes en UTF-8, o pesa más de {{limit}} kB.',
    unknown: '{{name}}: la tienda no tiene este ajuste.',
    wrong: '{{name}}: «{{label}}» no acepta este valor.',
  },
};
