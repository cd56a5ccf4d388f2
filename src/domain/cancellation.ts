/** Why an admin user cancels an unpaid order. Pure. */
import { type FieldProblem, readField } from './form-field.js';

/** `paid_outside`: the customer paid the merchant without the gateway. It counts as no payment. */
export const CANCEL_REASONS = ['not_wanted', 'paid_outside', 'price_or_stock', 'other'] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

/** In characters. */
export const CANCEL_TEXT_LIMIT = 200;

export interface Cancellation {
  readonly reason: CancelReason;
  /** Explains it. Required for `other`. Empty otherwise, if nothing was typed. */
  readonly text: string;
}

/** Parses the posted reason and its text. */
export function readCancellation(
  posted: Readonly<Record<'reason' | 'text', string>>,
): Cancellation | { readonly problems: { readonly reason?: FieldProblem; readonly text?: FieldProblem } } {
  const reason = CANCEL_REASONS.find((each) => each === posted.reason);
  const text = readField(posted.text, { column: '', maxLength: CANCEL_TEXT_LIMIT, isOptional: reason !== 'other' });
  if (reason && 'value' in text) return { reason, text: text.value };
  return { problems: { ...(!reason && { reason: 'required' }), ...('problem' in text && { text: text.problem }) } };
}
