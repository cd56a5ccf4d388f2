import type { IRouter } from 'express';
import { isPayAgain } from '../checkout-form.js';
import type { WebContext } from '../context.js';
import { rateLimitCheckout } from '../middleware/rate-limit.js';
import { noStore } from '../middleware/security-headers.js';
import { addCardCheckout } from './checkout-card.js';
import { addHostedCheckout } from './checkout-hosted.js';

/** Adds the routes of the configured payment flows. */
export function addCheckoutRoutes(app: IRouter, web: WebContext): void {
  const { paymentFlows } = web.settings;
  app.use('/checkout', noStore);
  // Both payment flows share one limit.
  const limits = rateLimitCheckout(web);
  if (paymentFlows.includes('hosted')) addHostedCheckout(app, web, limits);
  // All checkout links point to /checkout.
  else {
    app.get('/checkout', (req, res) => {
      res.redirect(303, isPayAgain(req) ? '/checkout/card?pay_again=1' : '/checkout/card');
    });
  }
  if (paymentFlows.includes('card')) addCardCheckout(app, web, limits);
}
