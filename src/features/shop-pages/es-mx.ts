export const esMx = {
  title: 'Páginas',
  intro: 'Tus páginas de contacto, envíos y avisos legales. Pide a un abogado que revise los avisos.',
  back: 'Volver a Páginas',
  see: 'Ver en la tienda',
  page: 'Página: {{title}}',
  states: {
    sample: 'Texto de ejemplo: escribe el tuyo',
    changed: 'Escrita aquí',
    file: 'Texto original',
    missing: 'Sin texto en este idioma: se ve el de otro',
    broken: 'El texto guardado tiene un error: se ve el original',
  },
  sampleHint: 'Cámbialo, o guárdalo como está si todo es cierto en tu tienda.',
  text: 'Texto',
  textHint:
    'El título empieza con # y un espacio, un subtítulo con ##, y cada renglón de una lista con un guion. Para poner negritas escribe **así**, y para un enlace [texto](https://…).',
  placeholders: 'Datos que se ponen solos',
  placeholdersHint: 'Copia el nombre con sus llaves. La página muestra el dato de tu tienda.',
  empty: 'vacío',
  preview: 'Vista previa',
  previewHint: 'Todavía no está guardada.',
  save: 'Guardar',
  useOriginal: 'Usar el texto original',
  outcomes: {
    changed: 'Guardamos la página. Ya se ve en la tienda.',
    unchanged: 'No había nada que cambiar.',
    preview: 'La vista previa está debajo del texto. Todavía no guardamos nada.',
    changed_meanwhile:
      'Otro usuario cambió esta página mientras la editabas y no guardamos nada. Compara tu texto con la página de la tienda y guarda de nuevo.',
  },
  problems: {
    markdown:
      'El texto tiene demasiadas marcas, como asteriscos, o demasiados niveles, como listas dentro de otras. Quita algunas.',
    card: 'El texto tiene un número que parece de tarjeta. Lo cambiamos por ****. Quítalo.',
    heading: 'Falta el título. Escribe un renglón que empiece con # y un espacio, por ejemplo: # Contacto',
    long: 'El texto es muy largo. Escribe {{limit}} caracteres como máximo.',
    picture: 'La tienda no tiene la imagen {{name}}. Quítala o corrige su nombre.',
    placeholder: 'El dato «{{name}}» no existe. Usa uno de la lista de datos, o quita sus llaves.',
  },
};
