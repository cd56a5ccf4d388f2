/** The model of src/features/pictures/views/pictures.ejs. */
import type { CellProblem } from '../../catalog/file-problems.js';
import { type Cells, TEXT_COLUMNS, TEXT_LIMITS } from '../../catalog/product-cells.js';
import type { Translate } from '../../locales/translations.js';
import type { Picture } from '../../tables/pictures.js';
import type { StoredProduct } from '../../tables/product-changes.js';
import { errorList } from '../../web/form.js';
import { adminProductPath, pathTo } from '../../web/paths.js';
import type { RequestContext } from '../../web/request-context.js';
import { FILE_LIMIT } from '../uploads/read-upload.js';
import { MAX_PICTURES } from './change-pictures.js';
import { picturesPaths } from './paths.js';
import { MAX_MEGAPIXELS, type PictureProblem } from './process-picture.js';

export type FileProblem = PictureProblem | 'missing' | 'too_big' | 'empty';

export const ACCEPTED = 'image/jpeg,image/png,image/webp';
const MEGABYTE = 1024 * 1024;
const LIMITS = { limit: FILE_LIMIT / MEGABYTE, megapixels: MAX_MEGAPIXELS };

/** The form of one picture as typed, or the result of a change. */
export interface PictureForm {
  readonly place?: number;
  readonly texts?: Cells;
  readonly problems?: readonly CellProblem[];
  readonly fileProblem?: FileProblem;
  readonly result?: 'saved' | 'created' | 'changed_meanwhile' | 'busy' | undefined;
}

interface PageInput {
  readonly pictures: readonly Picture[];
  readonly form: PictureForm;
}

export function picturesPath(id: string): string {
  return pathTo(picturesPaths.productPictures, { id });
}

/** Returns the texts of a field that takes several files. */
export function fileTexts(t: Translate) {
  return {
    fileHint: t('pictures.fileHint', LIMITS),
    // The script replaces both.
    pictures: t('pictures.progress', { number: '{number}', count: '{count}' }),
    failed: t('pictures.failed'),
  };
}

/** Builds one form per picture, and one that adds a picture. The fields of all forms have different ids. */
export function picturesPage(context: RequestContext, { product, version }: StoredProduct, input: PageInput) {
  const { t, text } = context;
  const { pictures, form } = input;
  const cards = pictures.map(({ image, alt }, place) => ({
    ...formOf(context, form, { place, alt, image }),
    image,
    label: t('pictures.number', { number: place + 1 }),
    isFirst: place === 0,
  }));
  // The product has the image text of its first picture before it has the picture. The name is proposed for a further one.
  const nextAlt = pictures.length === 0 ? product.imageAlt : product.name;
  const added =
    pictures.length < MAX_PICTURES ? formOf(context, form, { place: pictures.length, alt: nextAlt }) : undefined;
  const fields = [...cards, ...(added ? [added] : [])].flatMap(({ file, texts }) => [file, ...texts]);
  return {
    // The pictures of a main product are those of its group.
    name: text(product.variantOf === null && product.variant ? product.variant.groupName : product.name),
    productHref: adminProductPath(product),
    action: picturesPath(product.id),
    version: String(version),
    result: form.result && t(`pictures.outcomes.${form.result}`),
    isDone: form.result === 'saved' || form.result === 'created',
    isHidden: !product.visible,
    cards,
    added,
    errors: errorList(Object.fromEntries(fields.map(({ id, error }) => [id, error]))),
  };
}

/** A picture of the product, or without `image` a further one. */
type Shown = Pick<Picture, 'alt'> & { readonly place: number; readonly image?: string };

function formOf({ t, locale: own, config }: RequestContext, form: PictureForm, { place, alt, image }: Shown) {
  const typed = form.place === place ? form : {};
  const { fileProblem } = typed;
  const { fileHint, ...data } = fileTexts(t);
  const offered = TEXT_COLUMNS.filter(({ name, locale }) => name === 'image_alt' && config.locales.includes(locale));
  const limit = TEXT_LIMITS.image_alt;
  const languages = new Intl.DisplayNames(own, { type: 'language' });
  return {
    place,
    file: {
      id: `file_${place}`,
      name: 'file',
      kind: 'file',
      accept: ACCEPTED,
      hint: fileHint,
      label: t(image === undefined ? 'pictures.file' : 'pictures.replace'),
      error: fileProblem && t(`pictures.problems.${fileProblem}`, LIMITS),
      data: image === undefined ? data : {},
    },
    texts: offered.map(({ column, locale }) => ({
      id: `${column}_${place}`,
      name: column,
      lang: locale,
      label:
        config.locales.length > 1
          ? t('pictures.textIn', { language: languages.of(locale) ?? locale })
          : t('pictures.text'),
      value: typed.texts?.[column] ?? alt[locale] ?? '',
      error: typed.problems?.some((problem) => problem.column === column)
        ? t('pictures.textProblem', { limit })
        : undefined,
    })),
  };
}
