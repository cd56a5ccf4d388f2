import type { Request, Response } from 'express';
import { findSessionUser } from '../../admin/admin-session.js';
import type { AdminRouter } from '../../admin/permissions.js';
import { picturePath } from '../../shop/rules/picture.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { postedText } from '../../web/form-body.js';
import { reportLimit } from '../../web/middleware/rate-limit.js';
import { refuseCardData } from '../../web/middleware/refuse-card-data.js';
import { contextOf } from '../../web/request-context.js';
import { forgetForm, redirectToForm } from '../../web/typed-form.js';
import { type PictureFiles, processPicture } from '../pictures/process-picture.js';
import { readUpload, type UploadedFile } from '../pictures/read-upload.js';
import { storePicture } from '../pictures/repository.js';
import { inUploadTurn } from '../pictures/upload-turns.js';
import type { FileProblem, GroupForm } from './group-page.js';
import { GROUPS } from './groups.js';
import { groupPath, shopSettingsPaths } from './paths.js';
import { saveSettings } from './save-settings.js';

/** `Retry-After` when no turn is free, in seconds. */
const TURN_WAIT_S = 10;

/** Adds the upload of a picture, such as the logo. Its body is read after user, role and turn. */
export function addPictureRoutes(app: AdminRouter): void {
  app.post(shopSettingsPaths.picture, uploadPicture);
}

async function uploadPicture(req: Request, res: Response): Promise<void> {
  const result = await inUploadTurn(req.sessionID, async () => {
    const file = await readUpload(req);
    await refuseCardData()(req, res, () => {});
    // The body may take a minute.
    if (!(await findSessionUser(req, res, { needsCode: false }))) throw new ShopError('forbidden');
    await changePicture(req, res, file);
  });
  if (result === 'done') return;
  reportLimit(res, 'uploads', TURN_WAIT_S);
  await readUpload(req, { readsFile: false });
  await redirectToForm(res, pictureOf(req).path, { result } satisfies GroupForm);
}

/** Returns the setting of the form, and the page that shows it. Throws `bad_request`. */
function pictureOf(req: Request) {
  const name = postedText(req, 'name');
  const group = GROUPS.find(({ settings }) => settings.some((each) => each.kind === 'picture' && each.name === name));
  if (!group) throw new ShopError('bad_request');
  return { name, path: groupPath(group) };
}

async function changePicture(req: Request, res: Response, file: UploadedFile): Promise<void> {
  const { name, path } = pictureOf(req);
  const { clock } = contextOf(res).checkout;
  // The button comes after the file, so it is not read if the file is too big.
  const isRemoved = file !== 'too_big' && postedText(req, 'action') === 'remove';
  const picture = isRemoved ? undefined : await readPicture(file);
  if (typeof picture === 'string')
    return redirectToForm(res, path, { picture: { name, problem: picture } } satisfies GroupForm);
  const values = { [name]: picture ? picturePath(picture.hash) : null };
  const { kind } = await saveSettings(req, res, {
    values,
    afterwards: async (tx) => {
      if (picture) await storePicture(tx, picture, clock.now());
    },
  });
  if (kind === 'changed_meanwhile') return redirectToForm(res, path, { result: kind } satisfies GroupForm);
  await forgetForm(res, path);
  res.redirect(303, `${path}?result=${kind}`);
}

async function readPicture(file: UploadedFile): Promise<PictureFiles | FileProblem> {
  if (file === undefined) return 'missing';
  return typeof file === 'string' ? file : processPicture(file);
}
