import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  title: 'Pictures of {{name}}',
  back: 'Back to the product',
  intro: 'The first picture is shown in the catalog, the cart and search engines. The product page shows the others.',
  number: 'Picture {{number}}',
  add: 'Add pictures',
  progress: 'Uploading picture {{number}} of {{count}}…',
  failed: 'The upload failed. Check your connection and try again.',
  hidden: 'The product is still hidden.',
  show: 'Put it up for sale on its page',
  ofNewProduct: 'Pictures (optional)',
  ofNewProductHint: 'The first one will be the main one. You can add more later.',
  chooseAgain: 'Choose the pictures again: the browser does not keep them.',
  file: 'File',
  replace: 'Replace the file',
  fileHint:
    'JPEG, PNG or WebP, up to {{limit}} MB and {{megapixels}} megapixels. The location and other data of the photo are not stored.',
  text: 'Picture description',
  textIn: 'Picture description ({{language}})',
  upload: 'Upload the picture',
  save: 'Save',
  earlier: 'Move earlier',
  first: 'Move to first place',
  remove: 'Remove',
  removeHint: 'The shop no longer shows it. To show it again, upload it again.',
  removeNow: 'Remove the picture',
  outcomes: {
    created: 'The product was created.',
    saved: 'The changes were saved.',
    changed_meanwhile:
      'The product changed while you edited it, and nothing was saved. Check the pictures, and choose the file again if you were uploading one.',
    busy: 'Other pictures are being processed. Wait 10 seconds and upload it again.',
  },
  textProblem:
    'Describe the picture in one line of at most {{limit}} characters that does not begin with =, +, - or @.',
  problems: {
    missing: 'Choose a file.',
    too_big: 'The file is larger than {{limit}} MB. Make the photo smaller and upload it again.',
    type: 'The file is not a JPEG, PNG or WebP picture.',
    pixels: 'The picture has more than {{megapixels}} megapixels. Make the photo smaller and upload it again.',
    damaged: 'The picture is damaged or incomplete. Save it again in your photo editor and upload it.',
    empty: 'The file is empty. Choose another one.',
    memory:
      'The picture has too many megapixels for its kind of file. Save it as a non-progressive JPEG and upload it again.',
  },
};
