import type { Request, Response } from 'express';
import { CLOSING, isClosed } from '../../shop/rules/shop-settings.js';
import { conflictOf, readForm } from '../../web/form.js';
import { postedText } from '../../web/form-body.js';
import {
  fieldModels,
  findRefused,
  redirectToRefused,
  redirectToResult,
  renderForm,
  versionOf,
} from '../../web/form-page.js';
import { contextOf, type RequestContext } from '../../web/request-context.js';
import { shopSettingsPaths } from '../shop-settings/paths.js';
import { saveSettings } from '../shop-settings/save-settings.js';
import { closingFields, closingOf, storedClosing } from './closing-form.js';
import { closingPaths } from './paths.js';
import { readClosingFacts } from './repository.js';

const path = closingPaths.closing;
const RESULTS = {
  changed: 'closing.outcomes.changed',
  unchanged: 'closing.outcomes.unchanged',
  changed_meanwhile: 'closing.outcomes.changed_meanwhile',
} as const;

/** Closes the shop until the posted day, or opens it again. */
export async function saveClosing(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const isOpening = postedText(req, 'action') === 'open';
  const form = readForm(res, closingFields(context));
  if (form.refused && !isOpening) return redirectToRefused(res, path, form.refused);
  const values = form.refused || isOpening ? { [CLOSING]: null } : closingOf(context, form.values);
  const { kind } = await saveSettings(req, res, { values });
  if (kind === 'changed_meanwhile') return redirectToRefused(res, path, conflictOf(form));
  return redirectToResult(res, path, kind);
}

/** Sends the form that closes the shop. */
export async function sendClosing(_req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const refused = await findRefused(res, path);
  const page = {
    ...(await closingFacts(context)),
    path,
    version: versionOf(refused, context.settingsVersion),
    fields: fieldModels(context.t, closingFields(context), refused, storedClosing(context)),
  };
  await renderForm(res, 'closing/views/closing', {
    title: context.t('closing.title'),
    path,
    refused,
    results: RESULTS,
    page,
  });
}

async function closingFacts({ t, day, moment, closing, checkout }: RequestContext) {
  const at = checkout.clock.now();
  const isNow = isClosed({ closing }, at);
  const { pagesUntil, links, endedLinks } = await readClosingFacts(checkout.db.queries, closing?.until ?? 0, at);
  return {
    shopHref: shopSettingsPaths.shop,
    isClosed: isNow,
    state: isNow && closing ? t('closing.closed', { day: day(closing.until) }) : t('closing.open'),
    facts: [
      pagesUntil === undefined ? t('closing.noPages') : t('closing.pages', { time: moment(pagesUntil) }),
      t('closing.links', { count: links }),
      ...(isNow ? [t('closing.endedLinks', { count: endedLinks })] : []),
    ],
  };
}
