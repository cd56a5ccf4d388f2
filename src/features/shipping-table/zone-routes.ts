import { toPesosText } from '@tianguis/payments/rules';
import type { Request, Response } from 'express';
import { findTableProblems, type ShippingTable } from '../../shop/rules/shipping-table.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { SHIPPING } from '../../shop/rules/shop-settings.js';
import { conflictOf, type RefusedForm, readForm, refusedWith, type Typed } from '../../web/form.js';
import { type Fields, fieldsOf, postedText, readText } from '../../web/form-body.js';
import { fieldModels, findRefused, redirectToRefused, renderForm, versionOf } from '../../web/form-page.js';
import { contextOf } from '../../web/request-context.js';
import { forgetForm } from '../../web/typed-form.js';
import { saveSettings } from '../shop-settings/save-settings.js';
import { withoutZone } from './change-zones.js';
import { shippingTablePaths, zonePath } from './paths.js';
import { STEPS, tableProblems, tableWith, zoneFields } from './read-zone.js';
import { limitText, restName } from './zone-text.js';

const RESULTS = { changed_meanwhile: 'shippingTable.outcomes.changed_meanwhile' } as const;
/** The name of the zone when the form was opened. Empty: the last zone, or a new one. */
const SHOWN_NAME = 'shown_name';

/**
 * Returns the place of the zone that the form showed. Other zones may have moved or removed it meanwhile. What was typed for a
 * removed one is shown as a new zone.
 */
function shownPlace(fields: Fields, { zones }: ShippingTable): number | 'new' {
  if (readText(fields['is_rest']) === '1') return zones.length - 1;
  const shown = readText(fields[SHOWN_NAME]);
  const place = zones.slice(0, -1).findIndex(({ name }) => name === shown);
  return place === -1 ? 'new' : place;
}

/** Returns the place of the zone in the path. Throws `admin_not_found`. */
function placeOf(req: Request, { zones }: ShippingTable): number | 'new' {
  const place = req.params['zone'];
  if (place === 'new') return place;
  const found = zones.findIndex((_zone, index) => String(index) === place);
  if (found === -1) throw new ShopError('admin_not_found');
  return found;
}

/** Stores or removes a zone. */
export async function saveZone(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const place = shownPlace(fieldsOf(req), context.shipping);
  if (postedText(req, 'action') === 'remove' && place !== 'new') return removeZone(req, res, place);
  const form = readForm(res, zoneFields(context, place));
  if (form.refused) return refuse(res, place, form.refused);
  const table = tableWith(context, place, form);
  const problems = tableProblems(context, table);
  if (Object.keys(problems).length > 0) return refuse(res, place, refusedWith(form, problems));
  return storeTable(res, place, table, form.typed);
}

/** The form shows the zone as it is stored, if the shop would sell nothing without it. */
async function removeZone(req: Request, res: Response, place: number): Promise<void> {
  const { t, shipping } = contextOf(res);
  const table = withoutZone(shipping, place);
  const typed = storedZone(shipping, place);
  const form = { typed, version: postedText(req, 'version') };
  if (findTableProblems(table).length > 0)
    return refuse(res, place, refusedWith(form, { delivers: t('shippingTable.problems.nothing') }));
  return storeTable(res, place, table, typed);
}

async function storeTable(res: Response, place: number | 'new', table: ShippingTable, typed: Typed): Promise<void> {
  const { kind } = await saveSettings(res.req, res, { values: { [SHIPPING]: table } });
  if (kind === 'changed_meanwhile') return refuse(res, place, conflictOf({ typed }));
  await forgetForm(res, zonePath(place));
  res.redirect(303, `${shippingTablePaths.table}?result=${kind}`);
}

/** The page posts the name that the form showed again: other zones may move meanwhile. */
function refuse(res: Response, place: number | 'new', refused: RefusedForm): Promise<void> {
  const shownName = place === 'new' ? '' : postedText(res.req, SHOWN_NAME);
  const typed = { ...refused.typed, [SHOWN_NAME]: shownName };
  return redirectToRefused(res, zonePath(place), { ...refused, typed });
}

/** Sends the form of a zone. */
export async function sendZone(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const { t, shipping } = context;
  const place = placeOf(req, shipping);
  const path = zonePath(place);
  const refused = await findRefused(res, path);
  const isRest = place === shipping.zones.length - 1;
  const ownTitle = place === 'new' ? t('shippingTable.newZone') : (shipping.zones[place]?.name ?? '');
  const [rest] = shipping.zones.slice(-1);
  const title = isRest && rest ? restName(context, rest) : ownTitle;
  const fields = fieldModels(t, zoneFields(context, place), refused, storedZone(shipping, place));
  const named = (...names: readonly string[]) => fields.filter(({ name }) => names.includes(name));
  const page = {
    path,
    tableHref: shippingTablePaths.table,
    version: versionOf(refused, context.settingsVersion),
    title,
    isRest,
    shownName: refused?.typed[SHOWN_NAME] ?? (isRest || place === 'new' ? '' : ownTitle),
    mayRemove: place !== 'new' && !isRest,
    fields: named(...(isRest ? [] : ['name', 'states', 'postal_codes']), 'delivers', 'by'),
    steps: STEPS.map((row) => named(`up_to_${row}`, `price_${row}`)),
    freeFrom: named('free_from'),
    days: named('days_min', 'days_max'),
  };
  await renderForm(res, 'shipping-table/views/zone', { title, path, refused, results: RESULTS, page });
}

function storedZone({ zones }: ShippingTable, place: number | 'new'): Typed {
  const zone = place === 'new' ? undefined : zones[place];
  const { delivery } = zone ?? zones.at(-1) ?? {};
  const steps = delivery?.steps.flatMap(({ upTo, price }, index) => [
    [`up_to_${index + 1}`, limitText(delivery, upTo)],
    [`price_${index + 1}`, toPesosText(price)],
  ]);
  return {
    name: zone?.name ?? '',
    states: zone?.states.join(' ') ?? '',
    postal_codes: zone?.postalCodes.join(' ') ?? '',
    delivers: delivery || !zone ? 'yes' : 'no',
    by: delivery?.by ?? 'total',
    free_from: delivery?.freeFrom ? toPesosText(delivery.freeFrom) : '',
    days_min: String(delivery?.days?.min ?? ''),
    days_max: String(delivery?.days?.max ?? ''),
    ...Object.fromEntries(steps ?? []),
  };
}
