/** The pictures in the form of a new product. */
import type { Response } from 'express';
import { adminOf } from '../../admin/permissions.js';
import type { I18n } from '../../locales/i18n.js';
import { NO_PICTURE } from '../../shop/rules/picture.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { findStoredProduct } from '../../tables/product-changes.js';
import { contextOf } from '../../web/request-context.js';
import type { Section } from '../../web/section.js';
import type { NewPictures, PostedPicture } from '../../web/services.js';
import { redirectToForm } from '../../web/typed-form.js';
import { receiveUpload, reportRefusal } from '../uploads/receive-upload.js';
import { changePictures } from './change-pictures.js';
import { ACCEPTED, fileTexts, type PictureForm, picturesPath } from './pictures-page.js';
import { processPicture } from './process-picture.js';

export const newPictures: NewPictures = {
  scripts: ['/pictures/pictures.js'],
  field: ({ t }: I18n, wasChosen: boolean): Section => ({
    view: '/pictures/views/new-picture',
    model: { ...fileTexts(t), accept: ACCEPTED, again: wasChosen },
  }),
  receive: receiveUpload,
  addFirst,
};

/** The product is stored already, so that a picture that is refused costs no typed text: it is refused at the next page. */
async function addFirst(res: Response, id: string, posted: PostedPicture): Promise<void> {
  const { checkout, config } = contextOf(res);
  const { db, clock, log } = checkout;
  const path = picturesPath(id);
  const redirect = (form: PictureForm) => redirectToForm(res, path, form);
  const redirectToCreated = () => res.redirect(303, `${path}?result=created`);
  const stored = await findProduct(res, id);
  // The same form was posted before.
  if (stored.product.image !== NO_PICTURE) return redirectToCreated();
  if (posted === 'busy') return redirect({ result: posted });
  const uploaded = typeof posted === 'string' ? posted : await processPicture(posted);
  if (typeof uploaded === 'string') {
    reportRefusal(res, uploaded);
    return redirect({ place: 0, fileProblem: uploaded, result: 'created' });
  }
  const change = { id, version: stored.version, place: 0, action: 'save', texts: {}, uploaded } as const;
  const author = { at: clock.now(), by: adminOf(res).name };
  const outcome = await changePictures(db, { ...change, ...author }, config.locales[0]);
  if (outcome.kind === 'refused') return redirect({ place: 0, problems: outcome.problems, result: 'created' });
  const hasPicture = (await findProduct(res, id)).product.image !== NO_PICTURE;
  if (!hasPicture) return redirect({ result: 'changed_meanwhile' });
  if (outcome.kind === 'saved') log.info('pictures.changed', { products: id });
  redirectToCreated();
}

async function findProduct(res: Response, id: string) {
  const stored = await findStoredProduct(contextOf(res).checkout.db.queries, id);
  if (!stored) throw new ShopError('admin_not_found');
  return stored;
}
