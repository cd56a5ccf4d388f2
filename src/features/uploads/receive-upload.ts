import type { Request, Response } from 'express';
import { findSessionUser } from '../../admin/admin-session.js';
import { adminOf } from '../../admin/permissions.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { reportLimit } from '../../web/middleware/rate-limit.js';
import { refuseCardData } from '../../web/middleware/refuse-card-data.js';
import { contextOf } from '../../web/request-context.js';
import { readUpload, type UploadedFile } from './read-upload.js';
import { inUploadTurn } from './upload-turns.js';

/** `Retry-After` when no turn is free, in seconds. */
const TURN_WAIT_S = 10;

/** `busy`: no turn came. What was typed before the file is read, the file is not. */
export type ReceivedFile = UploadedFile | 'busy';

/**
 * Reads a form with a file in its turn, after the route checked the user, and calls `work` in the turn. Throws `forbidden` if
 * the user was changed or disabled, or the session ended, meanwhile.
 */
export async function receiveUpload(
  res: Response,
  work: (file: ReceivedFile) => Promise<void>,
  fileLimit?: number,
): Promise<void> {
  const { req } = res;
  const result = await inUploadTurn(req.sessionID, async () => {
    const file = await readUpload(req, { fileLimit }).catch((error) => {
      if (error instanceof ShopError) reportRefusal(res, error.code);
      throw error;
    });
    await refuseCardData()(req, res, () => {});
    // The body may take a minute.
    await requireUnchanged(req, res);
    await work(file);
  });
  if (result === 'done') return;
  reportLimit(res, 'uploads', TURN_WAIT_S);
  await readUpload(req, { fileLimit: 0 });
  await refuseCardData()(req, res, () => {});
  await work('busy');
}

/** Logs a file that the shop did not accept, and why. */
export function reportRefusal(res: Response, reason: string): void {
  contextOf(res).checkout.log.warn('upload.refused', { user: adminOf(res).name, reason });
}

async function requireUnchanged(req: Request, res: Response): Promise<void> {
  if (!(await findSessionUser(req, res, { needsCode: false }))) throw new ShopError('forbidden');
}
