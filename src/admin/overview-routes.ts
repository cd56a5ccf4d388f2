import type { Request, Response } from 'express';
import type { ContentPage } from '../content/content-pages.js';
import { samplePages } from '../content/sample-texts.js';
import { PAYMENTS_TEXT } from '../shop/payments-version.js';
import { findOrdersInReview } from '../tables/orders.js';
import { localePath } from '../web/locale-path.js';
import { adminPaths, contentPagePath } from '../web/paths.js';
import { render } from '../web/render.js';
import { type AdminAccess, contextOf, type RequestContext } from '../web/request-context.js';
import { fillSlot } from '../web/slots.js';
import { orderRows } from './order/order-rows.js';
import { adminOf } from './permissions.js';

const MAX_ROWS = 50;

/** Sends the overview page: the day's work, orders that need review, and sections of the features. */
export async function sendOverview(_req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const admin = adminOf(res);
  // One more than the page shows, so that more orders are detected.
  const inReview = await findOrdersInReview(context.checkout.db.queries, MAX_ROWS + 1);
  const page = {
    work: await fillSlot(res, 'overview.work'),
    isKeyRefused: context.checkout.payments.isKeyRefused(),
    rows: await orderRows(context, inReview.slice(0, MAX_ROWS), admin),
    moreHref: inReview.length > MAX_ROWS ? `${adminPaths.orders}?review=1` : undefined,
    sections: await fillSlot(res, 'overview.section'),
    payments: PAYMENTS_TEXT,
    samples: samplePages(context, context.config.locales).map((page) => sampleLink(context, admin, page)),
  };
  await render(res, 'admin-overview', { title: context.t('admin.title'), page, path: adminPaths.overview });
}

/** Links to the form of the page, or else to the page, with its file. */
function sampleLink({ config, contentForm }: RequestContext, admin: AdminAccess, page: ContentPage) {
  const { title, slug, sample, locale } = page;
  if (contentForm && admin.can(contentForm.route)) return { title, lang: locale, href: contentForm.path(page) };
  return { title, lang: locale, file: sample, href: localePath(config.locales, locale, contentPagePath(slug)) };
}
