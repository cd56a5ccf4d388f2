import type { Request, Response } from 'express';
import type { AdminRouter } from '../../admin/permissions.js';
import { addDays, dayOf } from '../../shop/rules/mexico-day.js';
import { CLOSING, isClosed } from '../../shop/rules/shop-settings.js';
import { fieldsOf, readText } from '../../web/form-body.js';
import { render } from '../../web/render.js';
import { contextOf, type RequestContext } from '../../web/request-context.js';
import { findAnswer, forgetForm, redirectToForm } from '../../web/typed-form.js';
import { shopSettingsPaths } from '../shop-settings/paths.js';
import { formVersion, saveSettings } from '../shop-settings/save-settings.js';
import { languageName } from '../shop-settings/setting-values.js';
import { type ClosingForm, readClosingForm, textField } from './closing-form.js';
import { closingPaths } from './paths.js';
import { readClosingFacts } from './repository.js';

const RESULTS = ['changed', 'unchanged', 'changed_meanwhile'] as const;

/** Adds the form that closes the shop until a day, or opens it again. */
export function addClosingRoutes(app: AdminRouter): void {
  app.get(closingPaths.closing, sendClosing);
  app.post(closingPaths.closing, save);
}

async function save(req: Request, res: Response): Promise<void> {
  const path = closingPaths.closing;
  const fields = fieldsOf(req);
  const isOpening = readText(fields['action']) === 'open';
  const version = readText(fields['version']);
  const { typed, errors, values } = readClosingForm(contextOf(res), fields);
  if (!isOpening && errors.length > 0)
    return redirectToForm(res, path, { typed, status: 422, version } satisfies ClosingForm);
  const { kind } = await saveSettings(req, res, { values: isOpening ? { [CLOSING]: null } : values });
  if (kind === 'changed_meanwhile')
    return redirectToForm(res, path, { typed, status: 409, version } satisfies ClosingForm);
  await forgetForm(res, path);
  res.redirect(303, `${path}?result=${kind}`);
}

async function sendClosing(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const form = await findAnswer<ClosingForm>(res, closingPaths.closing);
  const { typed = storedTexts(context), status = 200 } = form ?? {};
  const { errors } = status === 422 ? readClosingForm(context, typed) : { errors: [] };
  const result = status === 409 ? 'changed_meanwhile' : RESULTS.find((each) => each === readText(req.query['result']));
  const page = {
    ...(await closingPage(context, typed, errors)),
    version: formVersion(context, form?.version, status === 409),
    errors,
    result: result && context.t(`closing.outcomes.${result}`),
    isDone: result === 'changed' || result === 'unchanged',
  };
  const title = context.t('closing.title');
  await render(res, 'closing/closing', {
    title,
    hasErrors: errors.length > 0,
    page,
    status,
    path: closingPaths.closing,
  });
}

function storedTexts({ closing, config }: RequestContext): ClosingForm['typed'] {
  const texts = config.locales.map((locale) => [textField(locale), closing?.texts[locale] ?? '']);
  return { until: closing ? dayOf(closing.until) : '', ...Object.fromEntries(texts) };
}

type Errors = ReturnType<typeof readClosingForm>['errors'];

async function closingPage(context: RequestContext, typed: ClosingForm['typed'], errors: Errors) {
  const { t, closing, config, checkout, day, moment } = context;
  const at = checkout.clock.now();
  const isNow = isClosed(context, at);
  const { pagesUntil, links, endedLinks } = await readClosingFacts(checkout.db.queries, closing?.until ?? 0, at);
  const errorOf = (name: string) => errors.find(({ field }) => field === name)?.message;
  return {
    path: closingPaths.closing,
    shopHref: shopSettingsPaths.shop,
    isClosed: isNow,
    state: isNow && closing ? t('closing.closed', { day: day(closing.until) }) : t('closing.open'),
    facts: [
      pagesUntil === undefined ? t('closing.noPages') : t('closing.pages', { time: moment(pagesUntil) }),
      t('closing.links', { count: links }),
      ...(isNow ? [t('closing.endedLinks', { count: endedLinks })] : []),
    ],
    earliest: addDays(dayOf(at), 1),
    until: typed['until'] ?? '',
    untilError: errorOf('until'),
    texts: config.locales.map((locale) => {
      const name = textField(locale);
      const language = languageName(context, locale);
      return {
        ...{ id: name, name, kind: 'multiline', lang: locale, value: typed[name] ?? '', error: errorOf(name) },
        label: language ? `${t('closing.text')} (${language})` : t('closing.text'),
        hint: t('closing.textHint'),
      };
    }),
  };
}
