/** The forms of a fulfillment: the parcel that is shipped or corrected, and a step back with its reason. */
import type { Translate } from '../../locales/translations.js';
import { choice, text } from '../../web/fields.js';
import type { FormFields, Typed } from '../../web/form.js';
import { CARRIERS, readTrackingNumber, TRACKING_NUMBER_LIMIT } from './shipment.js';

/** In characters. */
const REASON_LIMIT = 200;

/** Empty for a step forward, which needs none. */
const REASON = text({
  label: 'shipments.admin.reason',
  hint: 'shipments.admin.reasonHint',
  limit: REASON_LIMIT,
  isOptional: true,
  problem: reasonProblem,
});

/** Says that a step back needs a reason. */
export function reasonProblem(t: Translate): string {
  return t('shipments.admin.reasonProblem', { limit: REASON_LIMIT });
}

export const STEP_FIELDS = { fulfillment_reason: REASON } as const satisfies FormFields;

export const SHIPMENT_FIELDS = {
  carrier: choice(CARRIERS, (carrier) => `shipments.carriers.${carrier}`, {
    kind: 'list',
    label: 'fields.carrier.label',
    choose: 'shipments.admin.chooseCarrier',
    problem: (t, typed) => t(typed === '' ? 'fields.carrier.required' : 'fields.carrier.invalid'),
  }),
  tracking_number: {
    label: 'fields.tracking_number.label',
    hint: (t) => t('shipments.admin.trackingHint', { other: t('shipments.carriers.other') }),
    autocapitalize: 'characters',
    // Tracking numbers often contain a valid check digit.
    holdsCard(typed) {
      const reading = readTrackingNumber(typed, undefined);
      return 'problem' in reading && reading.problem === 'cardData';
    },
    parse(typed, { texts }) {
      const reading = readTrackingNumber(typed, texts['carrier']);
      return 'value' in reading ? reading.value : undefined;
    },
    problem: trackingProblem,
  },
  shipment_reason: REASON,
} as const satisfies FormFields;

function trackingProblem(t: Translate, typed: string, { texts }: { readonly texts: Typed }): string {
  const reading = readTrackingNumber(typed, texts['carrier']);
  const problem = 'problem' in reading ? reading.problem : 'invalid';
  if (problem === 'required' || problem === 'invalid') return t(`fields.tracking_number.${problem}`);
  return t(`form.${problem}`, { label: t('fields.tracking_number.label'), limit: TRACKING_NUMBER_LIMIT });
}
