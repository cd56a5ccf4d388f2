import type { Request, Response } from 'express';
import { adminOf } from '../../admin/permissions.js';
import { readText } from '../../web/form-body.js';
import { pathTo } from '../../web/paths.js';
import { render } from '../../web/render.js';
import { contextOf, type RequestContext } from '../../web/request-context.js';
import { isUndoable, undoChange } from './change-settings.js';
import { shopSettingsPaths } from './paths.js';
import { findChanges, type SettingsChange } from './repository.js';
import { labelOf, valueText } from './setting-values.js';

/** Earlier changes are not shown. */
const MAX_CHANGES = 50;
const RESULTS = ['changed', 'unchanged', 'changed_meanwhile', 'sample'] as const;

/** Undoes a change, until one of its values changes again. */
export async function undoSettings(req: Request, res: Response): Promise<void> {
  const { checkout } = contextOf(res);
  const version = Number(req.params['version']);
  const input = { version: Number.isSafeInteger(version) ? version : 0, by: adminOf(res).name };
  const { kind } = await undoChange(checkout, input, checkout.clock.now());
  res.redirect(303, `${shopSettingsPaths.history}?result=${kind}`);
}

/** Sends the list of changes. */
export async function sendHistory(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const { t, checkout } = context;
  const result = RESULTS.find((each) => each === readText(req.query['result']));
  const changes = await findChanges(checkout.db.queries, { limit: MAX_CHANGES });
  const page = {
    result: result && t(`shopSettings.undoResults.${result}`),
    isDone: result === 'changed',
    shopHref: shopSettingsPaths.shop,
    changes: changes.map((change) => changeRow(context, change)),
  };
  const status = result === 'changed_meanwhile' || result === 'sample' ? 409 : 200;
  await render(res, 'shop-settings/views/history', { title: t('shopSettings.history'), page, status });
}

function changeRow(context: RequestContext, change: SettingsChange) {
  const { t, shortMoment, storedSettings } = context;
  const { changedAt, changedBy, kind } = change;
  return {
    title: t(`shopSettings.kinds.${kind}`),
    author: t('shopSettings.by', { by: changedBy, at: shortMoment(changedAt) }),
    undoPath: isUndoable(change, storedSettings) ? pathTo(shopSettingsPaths.undo, change) : undefined,
    values: change.values.map(({ name, value, before }) => ({
      label: labelOf(context, name),
      before: valueText(context, before),
      after: valueText(context, value),
    })),
  };
}
