import type { Request, Response } from 'express';
import { findSessionUser } from '../../admin/admin-session.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { reportLimit } from '../../web/middleware/rate-limit.js';
import { refuseCardData } from '../../web/middleware/refuse-card-data.js';
import { readUpload, type UploadedFile } from '../pictures/read-upload.js';
import { inUploadTurn } from '../pictures/upload-turns.js';

/** `Retry-After` when no turn is free, in seconds. */
const TURN_WAIT_S = 10;

/** Reads a form with a file after user, role and turn, and then works with it. Returns `busy` if no turn was free. */
export async function withUpload(
  req: Request,
  res: Response,
  work: (file: UploadedFile) => Promise<void>,
): Promise<'done' | 'busy'> {
  const result = await inUploadTurn(req.sessionID, async () => {
    const file = await readUpload(req);
    await refuseCardData()(req, res, () => {});
    // The body may take a minute.
    if (!(await findSessionUser(req, res, { needsCode: false }))) throw new ShopError('forbidden');
    await work(file);
  });
  if (result === 'done') return result;
  reportLimit(res, 'uploads', TURN_WAIT_S);
  // The fields come before the file.
  await readUpload(req, { readsFile: false });
  return result;
}
