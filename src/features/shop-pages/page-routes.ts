import type { Request, Response } from 'express';
import type { AdminRouter } from '../../admin/permissions.js';
import { pageSetting } from '../../content/content-pages.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { errorList } from '../../web/form.js';
import { postedText, readText } from '../../web/form-body.js';
import { render } from '../../web/render.js';
import { contextOf, type RequestContext } from '../../web/request-context.js';
import { answerPath, findAnswer, forgetForm, redirectToForm, storeForm } from '../../web/typed-form.js';
import { saveSettings } from '../shop-settings/save-settings.js';
import { type LocalPage, localPages, pageFacts } from './page-state.js';
import { pageFormPath, shopPagesPaths } from './paths.js';
import { parsePage, placeholdersOf, readPageText, TEXT_FIELD, TEXT_LIMIT, type TextProblem } from './read-page-text.js';

/** Its form masks card numbers itself. */
const PAGE_TEXT = { mayHoldDigits: new RegExp(`^${TEXT_FIELD}$`) };
const RESULTS = ['changed', 'unchanged'] as const;

/** What the last POST did not store. */
interface PageForm {
  readonly [TEXT_FIELD]: string;
  /** The version of the settings that the user saw. */
  readonly version: string;
  readonly result: 'changed_meanwhile' | 'preview' | 'problem';
  readonly problem?: TextProblem | undefined;
}

/** Adds the form of a page. */
export function addPageRoutes(app: AdminRouter): void {
  app.get(shopPagesPaths.form, sendForm);
  app.post(shopPagesPaths.form, save);
}

/** Returns the page of the path. Throws `admin_not_found`. */
function pageOf(req: Request, context: RequestContext): LocalPage {
  const { locale, slug } = req.params;
  const page = localPages(context).find((each) => each.locale === locale && each.slug === slug);
  if (!page) throw new ShopError('admin_not_found');
  return page;
}

async function save(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const page = pageOf(req, context);
  const path = pageFormPath(page);
  const action = postedText(req, 'action');
  const isOriginal = action === 'original' && mayUseOriginal(context, page);
  const { text, problem } = readPageText(context, page.locale, postedText(req, TEXT_FIELD));
  const form = { [TEXT_FIELD]: text, version: postedText(req, 'version') };
  if (problem && !isOriginal)
    return redirectToForm(res, path, { ...form, result: 'problem', problem } satisfies PageForm, PAGE_TEXT);
  if (action === 'preview') return redirectToPreview(res, path, { ...form, result: 'preview' });
  const value = isOriginal || isOfFile(context, page, text) ? null : text;
  const { kind } = await saveSettings(req, res, { values: { [pageSetting(page)]: value } });
  if (kind === 'changed_meanwhile')
    return redirectToForm(res, path, { ...form, result: kind } satisfies PageForm, PAGE_TEXT);
  await forgetForm(res, path);
  res.redirect(303, `${path}?result=${kind}`);
}

/** The preview is below a long form. */
async function redirectToPreview(res: Response, path: string, form: PageForm): Promise<void> {
  await storeForm(res, path, form, PAGE_TEXT.mayHoldDigits);
  res.redirect(303, `${answerPath(path)}#preview`);
}

/** A sample text that the merchant saves unchanged is the merchant's own. */
function isOfFile({ storedSettings }: RequestContext, { shown, ...page }: LocalPage, text: string): boolean {
  const isOwnFile = shown.locale === page.locale && shown.sample === undefined;
  return isOwnFile && !storedSettings.has(pageSetting(page)) && text === shown.text.trim();
}

/** In production the shop would not start again with a sample text. */
function mayUseOriginal({ storedSettings, config }: RequestContext, { shown, ...page }: LocalPage): boolean {
  const isSample = typeof shown.replaced === 'object' && shown.replaced.isSample;
  return storedSettings.has(pageSetting(page)) && !(config.production && isSample);
}

async function sendForm(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const { t } = context;
  const page = pageOf(req, context);
  const path = pageFormPath(page);
  const form = await findAnswer<PageForm>(res, path);
  const result = form?.result ?? RESULTS.find((each) => each === readText(req.query['result']));
  const problem = form?.problem;
  const error =
    problem && t(`shopPages.problems.${problem.kind}`, { name: problem.name ?? '', limit: String(TEXT_LIMIT) });
  const model = {
    ...formModel(context, page, form),
    error,
    errors: errorList({ [TEXT_FIELD]: error }),
    result: result && result !== 'problem' && t(`shopPages.outcomes.${result}`),
    isDone: result === 'changed' || result === 'unchanged',
  };
  await render(res, 'shop-pages/form', {
    title: model.title,
    page: model,
    hasErrors: error !== undefined,
    status: result === 'changed_meanwhile' ? 409 : undefined,
    path,
  });
}

function formModel(context: RequestContext, page: LocalPage, form: PageForm | undefined) {
  const { storedSettings, settingsVersion } = context;
  const stored = storedSettings.get(pageSetting(page));
  const text = form?.[TEXT_FIELD] ?? (typeof stored === 'string' ? stored : page.shown.text.trim());
  const preview = form?.result === 'preview' ? parsePage(context, page.locale, text) : undefined;
  return {
    ...pageFacts(context, page),
    path: pageFormPath(page),
    listHref: shopPagesPaths.list,
    field: TEXT_FIELD,
    lang: page.locale,
    // After a conflict the user decides anew, and else only a change that the form did not show is one.
    version: form && form.result !== 'changed_meanwhile' ? form.version : String(settingsVersion),
    text,
    html: preview && !preview.problem ? preview.html() : undefined,
    hasOriginal: mayUseOriginal(context, page),
    placeholders: Object.entries(placeholdersOf(context, page.locale)).map(([name, value]) => ({
      name: `{{${name}}}`,
      value,
    })),
  };
}
