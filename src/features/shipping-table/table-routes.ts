import type { Request, Response } from 'express';
import { findTableProblems } from '../../shop/rules/shipping-table.js';
import { SHIPPING } from '../../shop/rules/shop-settings.js';
import { conflictOf, type FormFields, readForm } from '../../web/form.js';
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
import { shippingTablePaths, zonePath } from './paths.js';
import { readWeight, weightProblem } from './read-zone.js';
import { countWithoutWeight } from './repository.js';
import { deliverySentences, placesText, restName, weightText } from './zone-text.js';

const RESULTS = {
  changed: 'shippingTable.outcomes.changed',
  unchanged: 'shippingTable.outcomes.unchanged',
  changed_meanwhile: 'shippingTable.outcomes.changed_meanwhile',
} as const;

/** What all zones share. */
function tableFields({ shipping }: RequestContext) {
  return {
    pickup: {
      kind: 'checkbox',
      label: 'shippingTable.pickup',
      parse: (typed) =>
        findTableProblems({ ...shipping, pickup: typed !== '' }).length > 0 ? undefined : typed !== '',
      problem: 'shippingTable.problems.nothing',
    },
    weight: {
      label: 'shippingTable.weight',
      hint: 'shippingTable.weightHint',
      inputMode: 'decimal',
      parse: readWeight,
      problem: weightProblem,
    },
  } as const satisfies FormFields;
}

/** Sends the list of zones, with what all of them share. */
export async function sendTable(_req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const { t, shipping, settingsVersion } = context;
  const path = shippingTablePaths.table;
  const refused = await findRefused(res, path);
  const last = shipping.zones.length - 1;
  const stored = { weight: weightText(shipping.defaultWeight), pickup: shipping.pickup ? 'yes' : '' };
  const page = {
    path,
    shopHref: shopSettingsPaths.shop,
    newHref: zonePath('new'),
    version: versionOf(refused, settingsVersion),
    zones: shipping.zones.map((zone, place) => ({
      href: zonePath(place),
      name: place === last ? restName(context, zone) : zone.name,
      places: placesText(context, zone),
      sentences: deliverySentences(context, zone),
    })),
    fields: fieldModels(t, tableFields(context), refused, stored),
    /** Products of unknown weight, which zones by weight need. */
    unknownWeights: await unknownWeights(context),
  };
  const title = t('shippingTable.title');
  await renderForm(res, 'shipping-table/views/table', { title, path, refused, results: RESULTS, page });
}

/** Returns how many products have the default weight in a zone by weight, as a sentence. */
async function unknownWeights({ t, shipping, checkout }: RequestContext): Promise<string | undefined> {
  if (!shipping.zones.some(({ delivery }) => delivery?.by === 'weight')) return undefined;
  const count = await countWithoutWeight(checkout.db.queries);
  return count === 0 ? undefined : t('shippingTable.unknownWeights', { count });
}

/** Stores what all zones share. */
export async function saveTable(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const path = shippingTablePaths.table;
  const form = readForm(res, tableFields(context));
  if (form.refused) return redirectToRefused(res, path, form.refused);
  const { pickup, weight } = form.values;
  const { kind } = await saveSettings(req, res, {
    values: { [SHIPPING]: { ...context.shipping, defaultWeight: weight, pickup } },
  });
  if (kind === 'changed_meanwhile') return redirectToRefused(res, path, conflictOf(form));
  return redirectToResult(res, path, kind);
}
