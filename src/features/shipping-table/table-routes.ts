import type { Request, Response } from 'express';
import type { AdminRouter } from '../../admin/permissions.js';
import { findTableProblems } from '../../shop/rules/shipping-table.js';
import { SHIPPING } from '../../shop/rules/shop-settings.js';
import { errorList } from '../../web/form.js';
import { fieldsOf, readText } from '../../web/form-body.js';
import { render } from '../../web/render.js';
import { contextOf, type RequestContext } from '../../web/request-context.js';
import { findAnswer, forgetForm, redirectToForm } from '../../web/typed-form.js';
import { shopSettingsPaths } from '../shop-settings/paths.js';
import { formVersion, saveSettings } from '../shop-settings/save-settings.js';
import { shippingTablePaths, zonePath } from './paths.js';
import { readWeight, weightProblem } from './read-zone.js';
import { countWithoutWeight } from './repository.js';
import { deliverySentences, placesText, restName, weightText } from './zone-text.js';

const OUTCOMES = ['changed', 'unchanged', 'changed_meanwhile'] as const;

interface TableForm {
  readonly weight: string;
  readonly pickup: boolean;
  readonly status: 409 | 422;
  /** The version of the settings that the user saw. */
  readonly version: string;
}

/** Adds the list of zones, with what all of them share. */
export function addTableRoutes(app: AdminRouter): void {
  app.get(shippingTablePaths.table, sendTable);
  app.post(shippingTablePaths.table, saveTable);
}

async function sendTable(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const { t, shipping } = context;
  const form = await findAnswer<TableForm>(res, shippingTablePaths.table);
  const { weight = weightText(shipping.defaultWeight), pickup = shipping.pickup, status = 200 } = form ?? {};
  const outcome =
    status === 409 ? 'changed_meanwhile' : OUTCOMES.find((each) => each === readText(req.query['result']));
  const errors = status === 422 ? problemsOf(context, weight, pickup) : [];
  const last = shipping.zones.length - 1;
  const page = {
    path: shippingTablePaths.table,
    shopHref: shopSettingsPaths.shop,
    newHref: zonePath('new'),
    version: formVersion(context, form?.version, status === 409),
    zones: shipping.zones.map((zone, place) => ({
      href: zonePath(place),
      name: place === last ? restName(context, zone) : zone.name,
      places: placesText(context, zone),
      sentences: deliverySentences(context, zone),
    })),
    weight,
    /** Products of unknown weight, which zones by weight need. */
    unknownWeights: await unknownWeights(context),
    pickup,
    errors,
    weightError: errors.find(({ field }) => field === 'weight')?.message,
    pickupError: errors.find(({ field }) => field === 'pickup')?.message,
    result: outcome && t(`shippingTable.outcomes.${outcome}`),
    isDone: outcome === 'changed' || outcome === 'unchanged',
  };
  const title = t('shippingTable.title');
  const hasErrors = errors.length > 0;
  await render(res, 'shipping-table/table', { title, hasErrors, page, status, path: shippingTablePaths.table });
}

/** Returns how many products have the default weight in a zone by weight, as a sentence. */
async function unknownWeights({ t, shipping, checkout }: RequestContext): Promise<string | undefined> {
  if (!shipping.zones.some(({ delivery }) => delivery?.by === 'weight')) return undefined;
  const count = await countWithoutWeight(checkout.db.queries);
  return count === 0 ? undefined : t('shippingTable.unknownWeights', { count });
}

function problemsOf({ t, shipping }: RequestContext, weight: string, pickup: boolean) {
  return errorList({
    weight: weightProblem(t, weight),
    pickup: findTableProblems({ ...shipping, pickup }).length > 0 && t('shippingTable.problems.nothing'),
  });
}

async function saveTable(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const fields = fieldsOf(req);
  const weight = readText(fields['weight']).trim();
  const pickup = fields['pickup'] === '1';
  const defaultWeight = readWeight(weight);
  const form = { weight, pickup, version: readText(fields['version']) };
  const path = shippingTablePaths.table;
  if (defaultWeight === undefined || problemsOf(context, weight, pickup).length > 0)
    return redirectToForm(res, path, { ...form, status: 422 } satisfies TableForm);
  const { kind } = await saveSettings(req, res, {
    values: { [SHIPPING]: { ...context.shipping, defaultWeight, pickup } },
  });
  if (kind === 'changed_meanwhile') return redirectToForm(res, path, { ...form, status: 409 } satisfies TableForm);
  await forgetForm(res, path);
  res.redirect(303, `${path}?result=${kind}`);
}
