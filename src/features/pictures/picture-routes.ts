import type { Request, Response } from 'express';
import { adminOf } from '../../admin/permissions.js';
import { type Cells, TEXT_COLUMNS } from '../../catalog/product-cells.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { findStoredProduct, type StoredProduct } from '../../tables/product-changes.js';
import { postedText } from '../../web/form-body.js';
import { render } from '../../web/render.js';
import { contextOf, type RequestContext } from '../../web/request-context.js';
import { findAnswer, forgetForm, redirectToForm } from '../../web/typed-form.js';
import type { UploadedFile } from '../uploads/read-upload.js';
import { receiveUpload, reportRefusal } from '../uploads/receive-upload.js';
import { changePictures, findPictures, MAX_PICTURES } from './change-pictures.js';
import { type FileProblem, type PictureForm, picturesPage, picturesPath } from './pictures-page.js';
import { type PictureFiles, processPicture } from './process-picture.js';

const ACTIONS = ['save', 'remove', 'earlier', 'first'] as const;
const SCRIPTS = ['/pictures/pictures.js'];
/** Results of a change. The redirect carries the code in its query string, never a text. */
const RESULTS = ['saved', 'created'] as const;
const STATUSES = { changed_meanwhile: 409, busy: 429 } as const;

/** Adds, changes, moves or removes a picture of a product. The body is read after user, role and turn. */
export function savePicture(req: Request, res: Response): Promise<void> {
  return receiveUpload(res, (file) => (file === 'busy' ? redirectToTyped(req, res, file) : change(req, res, file)));
}

/** Returns the product of the path. Throws `admin_not_found`. */
async function storedOf(req: Request, res: Response): Promise<StoredProduct> {
  const stored = await findStoredProduct(contextOf(res).checkout.db.queries, String(req.params['id']));
  if (!stored) throw new ShopError('admin_not_found');
  return stored;
}

async function change(req: Request, res: Response, file: UploadedFile): Promise<void> {
  const context = contextOf(res);
  const { checkout, config } = context;
  const stored = await storedOf(req, res);
  const version = Number(postedText(req, 'version'));
  const { id } = stored.product;
  if (version !== stored.version) return redirectToTyped(req, res, 'changed_meanwhile');
  const count = (await findPictures(checkout.db.queries, stored)).length;
  const { place, action } = readChoice(req, file, count);
  const texts = textsIn(req, context);
  const form = { place, texts };
  const refuse = (problem: Partial<PictureForm>) =>
    redirectToForm(res, picturesPath(id), { ...form, ...problem }, { isChecked: true });
  const uploaded = action === 'save' ? await readPicture(file, place === count) : undefined;
  if (typeof uploaded === 'string') {
    reportRefusal(res, uploaded);
    return refuse({ fileProblem: uploaded });
  }
  const author = { at: checkout.clock.now(), by: adminOf(res).name };
  const input = { id, version, place, action, texts, uploaded, ...author };
  const outcome = await changePictures(checkout.db, input, config.locales[0]);
  if (outcome.kind === 'refused') return refuse({ problems: outcome.problems });
  if (outcome.kind === 'changed_meanwhile') return redirectToTyped(req, res, 'changed_meanwhile');
  await forgetForm(res, picturesPath(id));
  checkout.log.info('pictures.changed', { products: id });
  res.redirect(303, `${picturesPath(id)}?result=saved`);
}

/** Shows the pictures as they are now, with the typed texts. */
function redirectToTyped(req: Request, res: Response, result: 'changed_meanwhile' | 'busy'): Promise<void> {
  const form: PictureForm = { place: Number(postedText(req, 'place')), texts: textsIn(req, contextOf(res)), result };
  return redirectToForm(res, picturesPath(String(req.params['id'])), form, { isChecked: true });
}

/**
 * Throws `bad_request` for a place without a picture. The place after the last adds one. The button comes after the file, so it
 * is not read if the file is too big.
 */
function readChoice(req: Request, file: UploadedFile, count: number) {
  const place = Number(postedText(req, 'place') || Number.NaN);
  const action = file === 'too_big' ? 'save' : ACTIONS.find((each) => each === postedText(req, 'action'));
  const isKnown = Number.isInteger(place) && place >= 0 && (action === 'save' ? place <= count : place < count);
  if (!action || !isKnown || place >= MAX_PICTURES) throw new ShopError('bad_request');
  return { place, action };
}

function textsIn(req: Request, { config }: RequestContext): Cells {
  const offered = TEXT_COLUMNS.filter(({ name, locale }) => name === 'image_alt' && config.locales.includes(locale));
  return Object.fromEntries(offered.map(({ column }) => [column, postedText(req, column)]));
}

/** Returns the files of the posted picture. A picture that is there already may stay as it is. */
async function readPicture(file: UploadedFile, isRequired: boolean): Promise<PictureFiles | FileProblem | undefined> {
  if (file === undefined) return isRequired ? 'missing' : undefined;
  return typeof file === 'string' ? file : processPicture(file);
}

/** Sends the page with the pictures of a product. */
export async function sendPictures(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const stored = await storedOf(req, res);
  const path = picturesPath(stored.product.id);
  const saved: PictureForm = { result: RESULTS.find((each) => each === req.query['result']) };
  const form = (await findAnswer<PictureForm>(res, path)) ?? saved;
  const pictures = await findPictures(context.checkout.db.queries, stored);
  const page = picturesPage(context, stored, { pictures, form });
  const hasErrors = page.errors.length > 0;
  const { result } = form;
  const status = result === 'busy' || result === 'changed_meanwhile' ? STATUSES[result] : undefined;
  const title = context.t('pictures.title', { name: page.name });
  await render(res, 'pictures/views/pictures', { title, hasErrors, page, status, path, scripts: SCRIPTS });
}
