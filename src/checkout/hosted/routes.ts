/** The `hosted` payment flow: checkout form and redirect to the gateway's payment page. */
import type { IRouter, RequestHandler } from 'express';
import { type CheckoutForm, sendFreshForm } from '../../web/checkout-form.js';
import type { WebContext } from '../../web/context.js';
import { checkoutCsp } from '../../web/middleware/security-headers.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import { submitCheckout } from '../../web/submit-checkout.js';
import { startHostedCheckout } from './start-hosted-checkout.js';

const form: CheckoutForm = (res, { page, hasErrors, status }) =>
  render(res, 'checkout', {
    title: contextOf(res).t('titles.checkout'),
    hasErrors,
    page,
    status,
    scripts: ['/checkout.js'],
    path: '/checkout',
  });

/** Adds `GET /checkout` and `POST /checkout/hosted` if the shop offers this flow. */
export function addHostedCheckout(app: IRouter, web: WebContext, limit: RequestHandler): void {
  if (!web.settings.paymentFlows.includes('hosted')) return;
  const csp = checkoutCsp(web.settings, []);
  app.get('/checkout', csp, (_req, res) => sendFreshForm(res, form));
  app.post('/checkout/hosted', csp, limit, (_req, res) => submitCheckout(res, form, startHostedCheckout));
}
