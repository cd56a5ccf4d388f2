import type { Request, Response } from 'express';
import { adminOf } from '../../admin/permissions.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { conflictOf, readForm, refusedWith } from '../../web/form.js';
import { fieldsOf } from '../../web/form-body.js';
import { findRefused, redirectToRefused, redirectToResult, renderForm } from '../../web/form-page.js';
import { shownLinks } from '../../web/render.js';
import { contextOf, type RequestContext } from '../../web/request-context.js';
import { groupFields, groupPage, postedSettings } from './group-page.js';
import { groupsOf, type SettingsGroup } from './groups.js';
import { groupPath, shopSettingsPaths } from './paths.js';
import { sampleSettings } from './sample-settings.js';
import { saveSettings } from './save-settings.js';

const RESULTS = {
  changed: 'shopSettings.outcomes.changed',
  unchanged: 'shopSettings.outcomes.unchanged',
  changed_meanwhile: 'shopSettings.outcomes.changed_meanwhile',
  sample: 'shopSettings.outcomes.sample',
  busy: 'shopSettings.outcomes.busy',
} as const;
const SCRIPTS = ['/shop-settings/color.js'];

/** Sends the page of the settings, with its groups. */
export async function sendGroups(_req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const { t } = context;
  const path = shopSettingsPaths.shop;
  const refused = await findRefused(res, path);
  const file = context.settingsFilePart?.(context, refused?.errors ?? []);
  const page = {
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
  const form = { title: t('shopSettings.title'), path, refused, results: file?.results ?? {}, page };
  await renderForm(res, 'shop-settings/views/shop-settings', form);
}

/** Returns the group of the path. Throws `admin_not_found`. */
function groupOf(req: Request, context: RequestContext): SettingsGroup {
  const group = groupsOf(context).find(({ id }) => id === req.params['group']);
  if (!group) throw new ShopError('admin_not_found');
  return group;
}

/** Sends the form of a group. */
export async function sendGroup(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const group = groupOf(req, context);
  const path = groupPath(group);
  const refused = await findRefused(res, path);
  const page = groupPage(context, group, refused);
  const form = { title: page.title, path, refused, results: RESULTS, page, scripts: SCRIPTS };
  await renderForm(res, 'shop-settings/views/group', form);
}

/** Stores the settings of a group. */
export async function saveGroup(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const group = groupOf(req, context);
  const path = groupPath(group);
  const form = readForm(res, groupFields(context, group), postedSettings(context, fieldsOf(req)));
  if (form.refused) return redirectToRefused(res, path, form.refused);
  const { kind } = await saveSettings(req, res, { values: form.values });
  if (kind === 'changed_meanwhile') return redirectToRefused(res, path, conflictOf(form));
  if (kind === 'sample') return redirectToRefused(res, path, { ...refusedWith(form, {}), status: 409, result: kind });
  return redirectToResult(res, path, kind);
}
