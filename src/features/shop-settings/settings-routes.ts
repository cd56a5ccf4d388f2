import type { Request, Response } from 'express';
import { type AdminRouter, adminOf } from '../../admin/permissions.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { fieldsOf, postedText, readText } from '../../web/form-body.js';
import { render, shownLinks } from '../../web/render.js';
import { contextOf, type RequestContext } from '../../web/request-context.js';
import { findAnswer, forgetForm, redirectToForm } from '../../web/typed-form.js';
import { type GroupForm, groupPage } from './group-page.js';
import { groupsOf, type SettingsGroup, settingsOf } from './groups.js';
import { groupPath, shopSettingsPaths } from './paths.js';
import { sampleSettings } from './sample-settings.js';
import { saveSettings } from './save-settings.js';
import { readForm } from './setting-values.js';

const RESULTS = ['changed', 'unchanged'] as const;
const STATUSES = { changed_meanwhile: 409, sample: 409, busy: 429 } as const;
const SCRIPTS = ['/shop-settings/color.js'];

/** Adds the page of the settings, and the form of each group. Routes with a name of their own come before. */
export function addSettingsRoutes(app: AdminRouter): void {
  app.get(shopSettingsPaths.shop, sendGroups);
  app.get(shopSettingsPaths.group, sendGroup);
  app.post(shopSettingsPaths.group, saveGroup);
}

async function sendGroups(_req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const { t } = context;
  const file = await context.settingsFilePart?.(res);
  const page = {
    result: file?.result,
    isDone: file?.isDone,
    problems: file?.problems,
    fileForm: file?.form,
    historyHref: shopSettingsPaths.history,
    groups: groupsOf(context).map((group) => ({
      href: groupPath(group),
      label: t(`shopSettings.groups.${group.id}`),
      hint: t(`shopSettings.groupHints.${group.id}`),
    })),
    links: shownLinks(context, adminOf(res), 'shop'),
    samples: sampleSettings(context),
  };
  const options = { status: file?.status, hasErrors: file?.problems !== undefined, path: shopSettingsPaths.shop };
  await render(res, 'shop-settings/shop-settings', { title: t('shopSettings.title'), page, ...options });
}

/** Returns the group of the path. Throws `admin_not_found`. */
function groupOf(req: Request, context: RequestContext): SettingsGroup {
  const group = groupsOf(context).find(({ id }) => id === req.params['group']);
  if (!group) throw new ShopError('admin_not_found');
  return group;
}

async function sendGroup(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const group = groupOf(req, context);
  const path = groupPath(group);
  const form = (await findAnswer<GroupForm>(res, path)) ?? {};
  const result = form.result ?? RESULTS.find((each) => each === readText(req.query['result']));
  const model = groupPage(context, group, form);
  const page = {
    ...model,
    result: result && context.t(`shopSettings.outcomes.${result}`),
    isDone: result === 'changed' || result === 'unchanged',
  };
  const hasErrors = model.errors.length > 0;
  const status = form.result && STATUSES[form.result];
  await render(res, 'shop-settings/group', { title: model.title, hasErrors, page, status, path, scripts: SCRIPTS });
}

async function saveGroup(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const group = groupOf(req, context);
  const path = groupPath(group);
  const settings = settingsOf(group, context.config.locales).filter(({ kind }) => kind !== 'picture');
  const { values, ...read } = readForm(context, settings, fieldsOf(req));
  const form = { ...read, version: postedText(req, 'version') };
  if (Object.keys(form.problems).length > 0) return redirectToForm(res, path, form);
  const { kind } = await saveSettings(req, res, { values });
  if (kind === 'changed_meanwhile' || kind === 'sample')
    return redirectToForm(res, path, { ...form, result: kind } satisfies GroupForm);
  await forgetForm(res, path);
  res.redirect(303, `${path}?result=${kind}`);
}
