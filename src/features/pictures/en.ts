import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  title: 'Pictures of {{name}}',
  back: 'Back to the product',
  intro: 'The first is the picture of catalog, cart and search engines. The page of the product shows the others.',
  number: 'Picture {{number}}',
  add: 'Add pictures',
  progress: 'Uploading picture {{number}} of {{count}}…',
  failed: 'The upload failed. Check your connection and try again.',
  hidden: 'The product is still hidden.',
  show: 'Put it on sale at its page',
  ofNewProduct: 'Pictures (optional)',
  ofNewProductHint: 'The first one will be the main one. You can add more later.',
  chooseAgain: 'Choose the pictures again: the browser does not keep them.',
  file: 'File',
  replace: 'Replace the file',
  fileHint:
    'JPEG, PNG or WebP of at most {{limit}} MB and {{megapixels}} megapixels. The location and other data of the photo are not stored.',
  text: 'Picture description',
  textIn: 'Picture description ({{language}})',
  upload: 'Upload the picture',
  save: 'Save',
  earlier: 'Move before',
  first: 'Make it the first',
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
    too_big: 'The file has more than {{limit}} MB. Make the photo smaller and upload it again.',
    type: 'The file is no JPEG, PNG or WebP picture.',
    pixels: 'The picture has more than {{megapixels}} megapixels. Make the photo smaller and upload it again.',
    damaged: 'The picture is damaged or incomplete. Save it again in your photo program, and upload it.',
    empty: 'The file is empty. Choose another one.',
    memory:
      'A picture of this kind may have fewer megapixels. Save it as a JPEG that is not progressive, and upload it again.',
  },
};
