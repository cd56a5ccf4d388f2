import type { Request, Response } from 'express';
import { pageSetting } from '../../content/content-pages.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { conflictOf, type RefusedForm, readForm, refusedWith } from '../../web/form.js';
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
import { answerPath, storeForm } from '../../web/typed-form.js';
import { saveSettings } from '../shop-settings/save-settings.js';
import { type LocalPage, localPages, pageFacts } from './page-state.js';
import { pageFormPath, shopPagesPaths } from './paths.js';
import { maskCards, pageFields, parsePage, placeholdersOf, TEXT_FIELD } from './read-page-text.js';

const RESULTS = {
  changed: 'shopPages.outcomes.changed',
  unchanged: 'shopPages.outcomes.unchanged',
  changed_meanwhile: 'shopPages.outcomes.changed_meanwhile',
  preview: 'shopPages.outcomes.preview',
} as const;

/** Returns the page of the path. Throws `admin_not_found`. */
function pageOf(req: Request, context: RequestContext): LocalPage {
  const { locale, slug } = req.params;
  const page = localPages(context).find((each) => each.locale === locale && each.slug === slug);
  if (!page) throw new ShopError('admin_not_found');
  return page;
}

/** Stores the text of a page, or shows its preview. */
export async function savePage(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const page = pageOf(req, context);
  const path = pageFormPath(page);
  const action = postedText(req, 'action');
  const isOriginal = action === 'original' && mayUseOriginal(context, page);
  const form = readForm(res, pageFields(context, page.locale));
  const typed = { [TEXT_FIELD]: maskCards(postedText(req, TEXT_FIELD)) };
  if (form.refused && !isOriginal) return redirectToRefused(res, path, { ...form.refused, typed });
  if (action === 'preview') return redirectToPreview(res, path, { ...refusedWith(form, {}), status: 200 });
  const isDefault = form.refused || isOriginal || isOfFile(context, page, form.values[TEXT_FIELD]);
  const value = isDefault ? null : form.values[TEXT_FIELD];
  const { kind } = await saveSettings(req, res, { values: { [pageSetting(page)]: value } });
  if (kind === 'changed_meanwhile') return redirectToRefused(res, path, conflictOf({ typed }));
  return redirectToResult(res, path, kind);
}

/** The preview is below a long form. */
async function redirectToPreview(res: Response, path: string, form: RefusedForm): Promise<void> {
  await storeForm(res, path, { ...form, result: 'preview' }, { isChecked: true });
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

/** Sends the form of a page. */
export async function sendPage(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const page = pageOf(req, context);
  const path = pageFormPath(page);
  const refused = await findRefused(res, path);
  const model = formModel(context, page, refused);
  await renderForm(res, 'shop-pages/views/form', { title: model.title, path, refused, results: RESULTS, page: model });
}

function formModel(context: RequestContext, page: LocalPage, refused: RefusedForm | undefined) {
  const { t, storedSettings, settingsVersion } = context;
  const stored = storedSettings.get(pageSetting(page));
  const present = typeof stored === 'string' ? stored : page.shown.text.trim();
  const { [TEXT_FIELD]: typed = '' } = refused?.typed ?? {};
  const preview = refused?.result === 'preview' ? parsePage(context, page.locale, typed) : undefined;
  return {
    ...pageFacts(context, page),
    path: pageFormPath(page),
    listHref: shopPagesPaths.list,
    lang: page.locale,
    version: versionOf(refused, settingsVersion),
    fields: fieldModels(t, pageFields(context, page.locale), refused, { [TEXT_FIELD]: present }),
    html: preview && !preview.problem ? preview.html() : undefined,
    hasOriginal: mayUseOriginal(context, page),
    placeholders: Object.entries(placeholdersOf(context, page.locale)).map(([name, value]) => ({
      name: `{{${name}}}`,
      value,
    })),
  };
}
