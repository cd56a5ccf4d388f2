import type { Request, Response } from 'express';
import { isPassword } from '../../admin/credentials.js';
import { adminOf } from '../../admin/permissions.js';
import { type AdminUser, findAdminUserByName } from '../../db/admin-users.js';
import { ShopError } from '../../domain/shop-error.js';
import type { WebContext } from '../../web/context.js';
import { postedText } from '../../web/form-body.js';
import { tooManyAttempts } from '../../web/middleware/rate-limit.js';
import { contextOf } from '../../web/request-context.js';

/** `Retry-After` when too many password checks wait. They end within 5 s. */
const QUEUE_WAIT_S = 5;

/** Returns whether the posted field is the password of the signed-in user. Throws `too_many_attempts`. */
export type ConfirmPassword = (req: Request, res: Response, field: string) => Promise<boolean>;

/** Ten wrong passwords of a user in 10 min, so that a stolen session cannot guess without a limit. */
export function confirmWith({ checkout }: WebContext): ConfirmPassword {
  const limiter = checkout.db.limiter({ name: 'admin_confirm', max: 10, seconds: 600 });
  return async (req, res, field) => {
    const user = await ownUser(res);
    const seconds = await limiter.count(user.id);
    if (seconds !== undefined) throw tooManyAttempts(res, 'admin_name', seconds);
    const isCorrect = await isPassword(postedText(req, field), user.passwordHash, 'known');
    if (isCorrect === undefined) throw tooManyAttempts(res, 'admin_queue', QUEUE_WAIT_S);
    if (isCorrect) await limiter.reset(user.id);
    return isCorrect;
  };
}

/** Returns the signed-in user. */
export async function ownUser(res: Response): Promise<AdminUser> {
  const user = await findAdminUserByName(contextOf(res).checkout.db.queries, adminOf(res).name);
  if (!user) throw new ShopError('forbidden');
  return user;
}
