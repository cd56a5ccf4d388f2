/** The pages of the `hosted` payment flow: checkout form and redirect to the gateway's payment page. */
import type { IRouter, RequestHandler } from 'express';
import { startHostedCheckout } from '../../checkout/start-hosted-checkout.js';
import { type CheckoutForm, refreshForm, sendFreshForm } from '../checkout-form.js';
import type { WebContext } from '../context.js';
import { checkoutCsp } from '../middleware/security-headers.js';
import { render } from '../render.js';
import { contextOf } from '../request-context.js';
import { submitCheckout } from '../submit-checkout.js';

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
  // The address of a form with errors.
  app.get('/checkout/hosted', (_req, res) => res.redirect(303, '/checkout'));
  app.post('/checkout/hosted', csp, refreshForm(form), limit, (_req, res) =>
    submitCheckout(res, form, { start: startHostedCheckout }),
  );
}
