import type { Request, Response } from 'express';
import { findSessionUser } from '../../admin/admin-session.js';
import { isPassword } from '../../admin/credentials.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import type { AdminUser } from '../../tables/admin-users.js';
import { postedText } from '../../web/form-body.js';
import { tooManyAttempts } from '../../web/middleware/rate-limit.js';
import type { WebContext } from '../../web/web-context.js';
import { hashOf } from './random-codes.js';

/** `Retry-After` when too many password checks wait. They end within 5 s. */
const QUEUE_WAIT_S = 5;

/** Returns whether the posted field is the password of the signed-in user. Throws `too_many_attempts`. */
export type ConfirmPassword = (req: Request, res: Response, field: string) => Promise<boolean>;

/**
 * Ten wrong passwords of a session in 10 min, so that a stolen session cannot guess without a limit. Other sessions of its user
 * are not counted, so that it does not close the forms of its owner.
 */
export function confirmWith({ checkout }: WebContext): ConfirmPassword {
  const limiter = checkout.db.limiter({ name: 'admin_confirm', max: 10, seconds: 600 });
  return async (req, res, field) => {
    const user = await ownUser(res);
    const session = hashOf(req.sessionID);
    const seconds = await limiter.count(session);
    if (seconds !== undefined) throw tooManyAttempts(res, 'admin_name', seconds);
    const isCorrect = await isPassword(postedText(req, field), user.passwordHash, 'known');
    if (isCorrect === undefined) throw tooManyAttempts(res, 'admin_queue', QUEUE_WAIT_S);
    if (isCorrect) await limiter.reset(session);
    return isCorrect;
  };
}

/** Returns the signed-in user as it is now. Throws `forbidden` if the user was changed or disabled, or signed out, meanwhile. */
export async function ownUser(res: Response): Promise<AdminUser> {
  const user = await findSessionUser(res.req, res, { needsCode: false });
  if (!user) throw new ShopError('forbidden');
  return user;
}
