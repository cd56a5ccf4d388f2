/** The pages of the `hosted` payment flow: checkout form and redirect to the gateway's payment page. */
import type { IRouter, Request, RequestHandler, Response } from 'express';
import { startHostedCheckout } from '../../shop/start-hosted-checkout.js';
import { readCheckoutPage, readForm, redirectLimited, redirectToCheckout, refreshForm } from '../checkout-form.js';
import type { WebContext } from '../context.js';
import { checkoutCsp } from '../middleware/security-headers.js';
import { paths } from '../paths.js';
import { render } from '../render.js';
import { contextOf } from '../request-context.js';
import { answerSubmission, readSubmission } from '../submit-checkout.js';

/** Adds `GET /checkout` and `POST /checkout/hosted` if the shop offers this flow. */
export function addHostedCheckout(app: IRouter, web: WebContext, limit: RequestHandler): void {
  if (!web.config.paymentFlows.includes('hosted')) return;
  const csp = checkoutCsp(web.config, []);
  app.get(paths.checkout, csp, (_req, res) => sendForm(res));
  // An address that customers may have stored.
  app.get(paths.hostedCheckout, (_req, res) => res.redirect(303, paths.checkout));
  app.post(paths.hostedCheckout, csp, refreshForm(paths.checkout), limit, submit, redirectLimited(paths.checkout));
}

async function submit(_req: Request, res: Response): Promise<void> {
  const submission = readSubmission(res);
  if (submission.kind === 'form') return redirectToCheckout(res, paths.checkout, submission.answer);
  const started = startHostedCheckout(contextOf(res).checkout, submission.request);
  const answer = await answerSubmission(res, submission, started);
  if (answer) await redirectToCheckout(res, paths.checkout, answer);
}

async function sendForm(res: Response): Promise<void> {
  const answer = await readForm(res);
  const page = await readCheckoutPage(res, answer);
  if (!page) return;
  const { status } = answer;
  await render(res, 'checkout', {
    title: contextOf(res).t('titles.checkout'),
    hasErrors: status !== 200,
    page,
    status,
    scripts: ['/checkout.js'],
    path: paths.checkout,
  });
}
