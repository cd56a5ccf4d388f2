import type { Request, Response } from 'express';
import type { PaymentPage } from '../../web/flow-pages.js';
import { postedText } from '../../web/form-body.js';
import { tooManyAttempts } from '../../web/middleware/rate-limit.js';
import { contextOf } from '../../web/request-context.js';
import type { Route } from '../../web/route.js';

/** Returns the path of the access token, after that of the checkout or of a payment link. */
export const accessTokenPath = (path: string) => `${path}/card/access-token`;

/** The POST for which the browser gets an access token for the tokenizer. */
export function accessTokenRoutes(page: PaymentPage): readonly Route[] {
  const { path, load: before } = page;
  return [{ post: accessTokenPath(path), before, handler: (req, res) => sendAccessToken(req, res, page) }];
}

/** Answers 409 if there is nothing to pay, 429 above a limit, and 503 if the gateway returns no token. */
async function sendAccessToken(req: Request, res: Response, page: PaymentPage): Promise<void> {
  const payable = await page.readPayable(res);
  if ('error' in payable) {
    res.status(409).json(payable);
    return;
  }
  const { keys } = payable;
  const { checkout } = contextOf(res);
  const access = await checkout.payments.accessToken({
    isRefused: postedText(req, 'refused') === '1',
    admit: async () => keys && checkout.startLimits.countToken(keys),
  });
  if (access.kind === 'limited') throw tooManyAttempts(res, access.limit, access.seconds);
  if (access.kind === 'unavailable') res.status(503).json({ error: 'gateway_unavailable' });
  else res.json({ access_token: access.token });
}
