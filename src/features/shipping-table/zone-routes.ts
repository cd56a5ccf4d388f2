import { toPesosText } from '@tianguis/payments/rules';
import type { Request, Response } from 'express';
import type { AdminRouter } from '../../admin/permissions.js';
import { STATE_CODES } from '../../shop/rules/contact.js';
import { findTableProblems, type ShippingTable } from '../../shop/rules/shipping-table.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { SHIPPING } from '../../shop/rules/shop-settings.js';
import type { FieldError } from '../../view-models/field-error.js';
import { errorList } from '../../web/form.js';
import { type Fields, fieldsOf, readText } from '../../web/form-body.js';
import { render } from '../../web/render.js';
import { contextOf, type RequestContext } from '../../web/request-context.js';
import { findAnswer, forgetForm, redirectToForm } from '../../web/typed-form.js';
import { formVersion, saveSettings } from '../shop-settings/save-settings.js';
import { withoutZone } from './change-zones.js';
import { shippingTablePaths, zonePath } from './paths.js';
import { readZone, STEPS, type TypedZone, typedZone } from './read-zone.js';
import { limitText, restName } from './zone-text.js';

interface ZoneForm {
  readonly typed: TypedZone;
  readonly status: 409 | 422;
  /** The version of the settings that the user saw. */
  readonly version: string;
  /** The name of the zone when the form was opened. Empty: the last zone, or a new one. */
  readonly shownName: string;
  /** Without the zone, the shop would sell nothing. */
  readonly isRemoval?: boolean;
}

/** Adds the form of a zone. */
export function addZoneRoutes(app: AdminRouter): void {
  app.get(shippingTablePaths.zone, sendZone);
  app.post(shippingTablePaths.zone, saveZone);
}

/**
 * Returns the place of the zone that the form showed. Other zones may have moved or removed it meanwhile. What was typed for a
 * removed one is shown as a new zone.
 */
function shownPlace(fields: Fields, { zones }: ShippingTable): number | 'new' {
  if (readText(fields['is_rest']) === '1') return zones.length - 1;
  const shown = readText(fields['shown_name']);
  const place = zones.slice(0, -1).findIndex(({ name }) => name === shown);
  return place === -1 ? 'new' : place;
}

/** Returns the place of the zone in the path. Throws `admin_not_found`. */
function placeOf(req: Request, { zones }: ShippingTable): number | 'new' {
  const place = req.params['zone'];
  if (place === 'new') return place;
  const found = zones.findIndex((_, index) => String(index) === place);
  if (found === -1) throw new ShopError('admin_not_found');
  return found;
}

async function saveZone(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const fields = fieldsOf(req);
  const place = shownPlace(fields, context.shipping);
  const typed = typedZone(fields);
  const path = zonePath(place);
  const version = readText(fields['version']);
  const shownName = place === 'new' ? '' : readText(fields['shown_name']);
  const isRemoval = readText(fields['action']) === 'remove' && place !== 'new';
  const { table } = isRemoval ? { table: withoutZone(context.shipping, place) } : readZone(context, place, typed);
  if (isRemoval && table && findTableProblems(table).length > 0)
    return redirectToForm(res, path, {
      typed: storedZone(context.shipping, place),
      status: 422,
      version,
      shownName,
      isRemoval,
    } satisfies ZoneForm);
  if (!table) return redirectToForm(res, path, { typed, status: 422, version, shownName } satisfies ZoneForm);
  const { kind } = await saveSettings(req, res, { values: { [SHIPPING]: table } });
  if (kind === 'changed_meanwhile')
    return redirectToForm(res, path, { typed, status: 409, version, shownName } satisfies ZoneForm);
  await forgetForm(res, path);
  res.redirect(303, `${shippingTablePaths.table}?result=${kind}`);
}

async function sendZone(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const { t, shipping } = context;
  const place = placeOf(req, shipping);
  const form = await findAnswer<ZoneForm>(res, zonePath(place));
  const { typed = storedZone(shipping, place), status = 200 } = form ?? {};
  const errors = form ? errorsOf(context, place, form) : [];
  const isRest = place === shipping.zones.length - 1;
  const ownTitle = place === 'new' ? t('shippingTable.newZone') : (shipping.zones[place]?.name ?? '');
  const [rest] = shipping.zones.slice(-1);
  const title = isRest && rest ? restName(context, rest) : ownTitle;
  const page = {
    ...{
      path: zonePath(place),
      tableHref: shippingTablePaths.table,
      version: formVersion(context, form?.version, status === 409),
      title,
      isRest,
      shownName: form?.shownName ?? (isRest || place === 'new' ? '' : ownTitle),
      errors,
    },
    mayRemove: place !== 'new' && !isRest,
    typed,
    ...fieldsOfZone(context, typed, errors),
    statesError: messageOf(errors, 'states'),
    deliversError: messageOf(errors, 'delivers'),
    states: stateChoices(context, place, typed),
    result: status === 409 ? t('shippingTable.outcomes.changed_meanwhile') : undefined,
    isDone: false,
  };
  await render(res, 'shipping-table/zone', {
    title,
    hasErrors: errors.length > 0,
    page,
    status,
    path: zonePath(place),
  });
}

function errorsOf(context: RequestContext, place: number | 'new', { typed, status, isRemoval }: ZoneForm) {
  if (isRemoval) return errorList({ delivers: context.t('shippingTable.problems.nothing') });
  return status === 422 ? readZone(context, place, typed).errors : [];
}

const messageOf = (errors: readonly FieldError[], name: string) => errors.find(({ field }) => field === name)?.message;

function fieldsOfZone({ t }: RequestContext, typed: TypedZone, errors: readonly FieldError[]) {
  const field = (id: string, label: string, further: { readonly hint?: string; readonly isHidden?: boolean } = {}) => {
    const value = typed[id] ?? '';
    return { id, label, value, error: messageOf(errors, id), isNumber: id !== 'name', ...further };
  };
  return {
    name: [field('name', t('shippingTable.name'), { hint: t('shippingTable.nameHint') })],
    postalCodes: [field('postal_codes', t('shippingTable.postalCodes'), { hint: t('shippingTable.postalCodesHint') })],
    steps: STEPS.map((row) => [
      field(`up_to_${row}`, t('shippingTable.limit', { row }), { isHidden: true }),
      field(`price_${row}`, t('shippingTable.price', { row }), { isHidden: true }),
    ]),
    freeFrom: [field('free_from', t('shippingTable.free'))],
    days: [field('days_min', t('shippingTable.daysMin')), field('days_max', t('shippingTable.daysMax'))],
  };
}

/** A state of another zone says so. Chosen, it leaves that zone. */
function stateChoices({ t, shipping }: RequestContext, place: number | 'new', { states = '' }: TypedZone) {
  const own = shipping.zones.slice(0, -1);
  return STATE_CODES.map((state) => {
    const other = own.find((zone, index) => index !== place && zone.states.includes(state));
    const name = t(`mexicanStates.${state}`);
    return {
      state,
      label: other ? t('shippingTable.stateOf', { state: name, zone: other.name }) : name,
      isChosen: states.split(' ').includes(state),
    };
  });
}

function storedZone({ zones }: ShippingTable, place: number | 'new'): TypedZone {
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
