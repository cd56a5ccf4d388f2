import type { IRouter } from 'express';
import { limitAttempts } from '../middleware/limit-attempts.js';
import { noStore } from '../middleware/security-headers.js';
import type { WebServices } from '../services.js';
import { addCardCheckout } from './checkout-card.js';
import { addHostedCheckout } from './checkout-hosted.js';

/** The ways to pay that this shop offers. */
export function addCheckoutRoutes(app: IRouter, web: WebServices): void {
  const { waysToPay } = web.settings;
  app.use('/checkout', noStore);
  // One count for both ways.
  const limits = limitAttempts(web);
  if (waysToPay.includes('hosted')) addHostedCheckout(app, web, limits);
  // Every way to the checkout leads to /checkout.
  else app.get('/checkout', (_req, res) => res.redirect(303, '/checkout/card'));
  if (waysToPay.includes('card')) addCardCheckout(app, web, limits);
}
