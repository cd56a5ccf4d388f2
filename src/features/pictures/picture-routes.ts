import type { Request, Response } from 'express';
import { type AdminRouter, adminOf } from '../../admin/permissions.js';
import { type Cells, TEXT_COLUMNS } from '../../catalog/product-cells.js';
import { findStoredProduct, type StoredProduct } from '../../db/product-changes.js';
import { ShopError } from '../../domain/shop-error.js';
import { plainForm, postedText, readText } from '../../web/form-body.js';
import { refuseCardData } from '../../web/middleware/refuse-card-data.js';
import { adminPaths } from '../../web/paths.js';
import { render } from '../../web/render.js';
import { contextOf, type RequestContext } from '../../web/request-context.js';
import { changePictures, findPictures, MAX_PICTURES } from './change-pictures.js';
import { type FileProblem, type PictureForm, picturesPage, picturesPath } from './pictures-page.js';
import { type PictureFiles, processPicture } from './process-picture.js';
import { readUpload, uploadedFileOf } from './read-upload.js';

const ACTIONS = ['save', 'remove', 'earlier'] as const;

/** Adds the page with the pictures of a product. Its body is read after the user and the role were checked. */
export function addPictureRoutes(app: AdminRouter): void {
  app.get(adminPaths.productPictures, async (req, res) => {
    const result = readText(req.query['result']) === 'saved' ? 'saved' : undefined;
    await sendPictures(res, await storedOf(req, res), { result });
  });
  app.post(adminPaths.productPictures, readUpload, plainForm, refuseCardData, change);
}

/** Returns the product of the path. Throws `admin_not_found`. */
async function storedOf(req: Request, res: Response): Promise<StoredProduct> {
  const stored = await findStoredProduct(contextOf(res).checkout.db.queries, String(req.params['id']));
  if (!stored) throw new ShopError('admin_not_found');
  return stored;
}

async function change(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const { checkout, config } = context;
  const stored = await storedOf(req, res);
  const version = Number(postedText(req, 'version'));
  if (version !== stored.version) return sendChanged(req, res);
  const count = (await findPictures(checkout.db.queries, stored)).length;
  const { place, action } = readChoice(req, count);
  const texts = textsIn(req, context);
  const form = { place, texts };
  const uploaded = action === 'save' ? await readPicture(req, place === count) : undefined;
  if (typeof uploaded === 'string') return sendPictures(res, stored, { ...form, fileProblem: uploaded });
  const { id } = stored.product;
  const author = { at: checkout.clock.now(), by: adminOf(res).name };
  const input = { id, version, place, action, texts, uploaded, ...author };
  const outcome = await changePictures(checkout.db, input, config.locales[0]);
  if (outcome.kind === 'refused') return sendPictures(res, stored, { ...form, problems: outcome.problems });
  if (outcome.kind === 'changed_meanwhile') return sendChanged(req, res);
  checkout.log.info('pictures.changed', { products: id });
  res.redirect(303, `${picturesPath(id)}?result=saved`);
}

/** Shows the pictures as they are now, with the typed texts. */
async function sendChanged(req: Request, res: Response): Promise<void> {
  const form = { place: Number(postedText(req, 'place')), texts: textsIn(req, contextOf(res)) };
  await sendPictures(res, await storedOf(req, res), { ...form, result: 'changed_meanwhile' });
}

/** Throws `bad_request` for a place without a picture. The place after the last adds one. */
function readChoice(req: Request, count: number) {
  const place = Number(postedText(req, 'place') || Number.NaN);
  const action = ACTIONS.find((each) => each === postedText(req, 'action'));
  const isKnown = Number.isInteger(place) && place >= 0 && (action === 'save' ? place <= count : place < count);
  if (!action || !isKnown || place >= MAX_PICTURES) throw new ShopError('bad_request');
  return { place, action };
}

function textsIn(req: Request, { config }: RequestContext): Cells {
  const offered = TEXT_COLUMNS.filter(({ name, locale }) => name === 'image_alt' && config.locales.includes(locale));
  return Object.fromEntries(offered.map(({ column }) => [column, postedText(req, column)]));
}

/** Returns the files of the posted picture. A picture that is there already may stay as it is. */
async function readPicture(req: Request, isRequired: boolean): Promise<PictureFiles | FileProblem | undefined> {
  const file = uploadedFileOf(req);
  if (file === undefined) return isRequired ? 'missing' : undefined;
  return file === 'too_big' ? file : processPicture(file);
}

async function sendPictures(res: Response, stored: StoredProduct, form: PictureForm): Promise<void> {
  const context = contextOf(res);
  const pictures = await findPictures(context.checkout.db.queries, stored);
  const page = picturesPage(context, stored, { pictures, form });
  const hasErrors = page.errors.length > 0;
  const status = form.result === 'changed_meanwhile' ? 409 : undefined;
  const title = context.t('pictures.title', { name: page.name });
  await render(res, 'admin-pictures', { title, hasErrors, page, status, path: picturesPath(stored.product.id) });
}
