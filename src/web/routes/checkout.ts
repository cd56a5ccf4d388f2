import type { IRouter } from 'express';
import { isPayAgain } from '../checkout-form.js';
import { limitAttempts } from '../middleware/limit-attempts.js';
import { noStore } from '../middleware/security-headers.js';
import type { WebServices } from '../services.js';
import { addCardCheckout } from './checkout-card.js';
import { addHostedCheckout } from './checkout-hosted.js';

/** Adds the routes of the configured payment flows. */
export function addCheckoutRoutes(app: IRouter, web: WebServices): void {
  const { waysToPay } = web.settings;
  app.use('/checkout', noStore);
  // Both payment flows share one limit.
  const limits = limitAttempts(web);
  if (waysToPay.includes('hosted')) addHostedCheckout(app, web, limits);
  // All checkout links point to /checkout.
  else {
    app.get('/checkout', (req, res) => {
      res.redirect(303, isPayAgain(req) ? '/checkout/card?pay_again=1' : '/checkout/card');
    });
  }
  if (waysToPay.includes('card')) addCardCheckout(app, web, limits);
}
