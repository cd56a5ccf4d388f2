/** The `hosted` payment flow: contact form and redirect to the payment page of the gateway. */
import type { IRouter, RequestHandler } from 'express';
import { startHostedCheckout } from '../../checkout/start-hosted-checkout.js';
import { sendFreshForm } from '../checkout-form.js';
import type { WebContext } from '../context.js';
import { checkoutPolicy } from '../middleware/security-headers.js';
import { render } from '../render.js';
import { submitCheckout, type WayToPay } from '../submit-checkout.js';

const hosted: WayToPay = {
  form: {
    title: (t) => t('titles.checkout'),
    send: (web, res, { page, title, status }) =>
      render(web, res, 'checkout', { title, page, status, path: '/checkout' }),
  },
  begin: () => startHostedCheckout,
};

/** Adds the routes of the `hosted` flow. The caller must pass the payment limits. */
export function addHostedCheckout(app: IRouter, web: WebContext, limits: RequestHandler): void {
  const policy = checkoutPolicy(web.settings, []);
  app.get('/checkout', policy, (_req, res) => sendFreshForm(web, res, hosted.form));
  app.post('/checkout/hosted', policy, limits, (_req, res) => submitCheckout(web, res, hosted));
}
