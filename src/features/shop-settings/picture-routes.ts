import type { Request, Response } from 'express';
import { picturePath } from '../../shop/rules/picture.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { conflictOf, type RefusedForm } from '../../web/form.js';
import { postedText } from '../../web/form-body.js';
import { redirectToRefused, redirectToResult } from '../../web/form-page.js';
import { contextOf } from '../../web/request-context.js';
import { type PictureFiles, type PictureProblem, processPicture } from '../pictures/process-picture.js';
import { storePicture } from '../pictures/repository.js';
import type { UploadedFile } from '../uploads/read-upload.js';
import { receiveUpload, reportRefusal } from '../uploads/receive-upload.js';
import { FILE_LIMITS, fileField } from './group-page.js';
import { groupsOf } from './groups.js';
import { groupPath } from './paths.js';
import { saveSettings } from './save-settings.js';

/** Stores or removes a picture, such as the logo. The body is read after user, role and turn. */
export async function uploadPicture(req: Request, res: Response): Promise<void> {
  const busy: RefusedForm = { typed: {}, errors: [], status: 429, result: 'busy' };
  await receiveUpload(res, (file) =>
    file === 'busy' ? redirectToRefused(res, pictureOf(req, res).path, busy) : changePicture(req, res, file),
  );
}

/** Returns the setting of the form, and the page that shows it. Throws `bad_request`. */
function pictureOf(req: Request, res: Response) {
  const name = postedText(req, 'name');
  const group = groupsOf(contextOf(res)).find(({ settings }) =>
    settings.some((each) => each.kind === 'picture' && each.name === name),
  );
  if (!group) throw new ShopError('bad_request');
  return { name, path: groupPath(group) };
}

async function changePicture(req: Request, res: Response, file: UploadedFile): Promise<void> {
  const { name, path } = pictureOf(req, res);
  const { t, checkout } = contextOf(res);
  // The button comes after the file, so it is not read if the file is too big.
  const isRemoved = file !== 'too_big' && postedText(req, 'action') === 'remove';
  const picture = isRemoved ? undefined : await readPicture(file);
  if (typeof picture === 'string') {
    reportRefusal(res, picture);
    const message = t(`pictures.problems.${picture}`, FILE_LIMITS);
    const errors = [{ field: fileField(name), message }];
    return redirectToRefused(res, path, { typed: {}, errors, status: 422 } satisfies RefusedForm);
  }
  const values = { [name]: picture ? picturePath(picture.hash) : null };
  const { kind } = await saveSettings(req, res, {
    values,
    afterwards: async (tx) => {
      if (picture) await storePicture(tx, picture, checkout.clock.now());
    },
  });
  if (kind === 'changed_meanwhile') return redirectToRefused(res, path, conflictOf({ typed: {} }));
  return redirectToResult(res, path, kind);
}

async function readPicture(
  file: UploadedFile,
): Promise<PictureFiles | PictureProblem | 'missing' | 'too_big' | 'empty'> {
  if (file === undefined) return 'missing';
  return typeof file === 'string' ? file : processPicture(file);
}
