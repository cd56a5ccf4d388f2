import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  title: 'Pages',
  intro: 'Your pages about contact, shipping and legal matters. Have a lawyer review the legal ones.',
  back: 'Back to Pages',
  see: 'View it in the shop',
  page: 'Page: {{title}}',
  states: {
    sample: 'Sample text: write your own',
    changed: 'Written here',
    file: 'Original text',
    missing: 'No text in this language: another one is shown',
    broken: 'The saved text has an error: the original is shown',
  },
  sampleHint: 'Change it, or save it as it is if all of it is true for your shop.',
  text: 'Text',
  textHint:
    'The title begins with # and a space, a subtitle with ##, and each line of a list with a hyphen. Write **bold text** and [links](https://…) like this.',
  placeholders: 'Values that fill themselves in',
  placeholdersHint: 'Copy the name with its braces. The page shows the value of your shop.',
  empty: 'empty',
  preview: 'Preview',
  previewHint: 'It is not saved yet.',
  save: 'Save',
  useOriginal: 'Use the original text',
  outcomes: {
    changed: 'The page was saved. The shop shows it now.',
    unchanged: 'There was nothing to change.',
    preview: 'The preview is below the text. Nothing was saved yet.',
    changed_meanwhile:
      'Another user changed this page while you edited it, and nothing was saved. Compare your text with the page in the shop and save again.',
  },
  problems: {
    markdown:
      'The text has too many marks, such as asterisks, or too many levels, such as lists inside others. Remove some.',
    card: 'The text has a number that may be a card number. It was replaced by ****. Remove it.',
    heading: 'The title is missing. Write a line that begins with # and a space, such as: # Contact',
    long: 'The text is too long. Write at most {{limit}} characters.',
    picture: 'The shop has no picture {{name}}. Remove it or correct its name.',
    placeholder: 'The value “{{name}}” does not exist. Use one from the list of values, or remove its braces.',
  },
};
