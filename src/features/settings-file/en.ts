import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  title: 'File with all settings',
  hint: 'Use it as a copy, or to take the settings to another shop. It contains neither the logo nor the picture of the start page: upload them separately.',
  download: 'Download the file',
  fileLabel: 'A file that you downloaded before',
  fileHint: 'It replaces the current settings. You can undo it under “Earlier changes”.',
  import: 'Import the file',
  outcomes: {
    refused: 'Nothing was imported from the file:',
    sample: 'The file would leave a sample text or value, and the shop would not start the next time. Nothing changed.',
    changed_meanwhile: 'The settings changed at the same moment, and nothing was imported. Import the file again.',
    busy: 'Other files are being processed. Wait 10 seconds and import it again.',
  },
  problems: {
    noFile: 'This is not a settings file in UTF-8, or it is larger than {{limit}} kB.',
    unknown: '{{name}}: the shop has no such setting.',
    wrong: '{{name}}: “{{label}}” does not accept this value.',
  },
};
