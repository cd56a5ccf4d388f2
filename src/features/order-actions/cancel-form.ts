/** The form that cancels an unpaid order, with its reason. */
import { fieldErrorList, type RefusedForm, typedField } from '../../admin/order-record.js';
import type { I18n } from '../../locales/i18n.js';
import { CANCEL_REASONS, type Cancellation } from '../../shop/rules/cancellation.js';
import { type FieldProblem, readField } from '../../shop/rules/form-field.js';
import { type Fields, readText } from '../../web/form-body.js';

/** In characters. */
const CANCEL_TEXT_LIMIT = 200;

/** Reads the posted reason. `cancellation` is absent if the form has errors. */
export function readCancelForm({ t }: I18n, fields: Fields): RefusedForm & { readonly cancellation?: Cancellation } {
  const typed = { cancel_reason: readText(fields['cancel_reason']), cancel_text: readText(fields['cancel_text']) };
  const reading = readCancellation({ reason: typed.cancel_reason, text: typed.cancel_text });
  if ('reason' in reading) return { typed, errors: [], cancellation: reading };
  const { reason, text } = reading.problems;
  const textProblem = t('orderActions.cancelTextProblem', { limit: CANCEL_TEXT_LIMIT });
  const errors = fieldErrorList({
    cancel_reason: reason && t('orderActions.cancelReasonProblem'),
    cancel_text: text && (text === 'cardData' ? t('form.cardData') : textProblem),
  });
  return { typed, errors };
}

/** Parses the posted reason and its text. */
function readCancellation(
  posted: Readonly<Record<'reason' | 'text', string>>,
): Cancellation | { readonly problems: { readonly reason?: FieldProblem; readonly text?: FieldProblem } } {
  const reason = CANCEL_REASONS.find((each) => each === posted.reason);
  const text = readField(posted.text, { column: '', maxLength: CANCEL_TEXT_LIMIT, isOptional: reason !== 'other' });
  if (reason && 'value' in text) return { reason, text: text.value };
  return { problems: { ...(!reason && { reason: 'required' }), ...('problem' in text && { text: text.problem }) } };
}

/** Builds the model of the form. */
export function cancelForm({ t }: I18n, refused: RefusedForm | undefined) {
  const reason = typedField(refused, 'cancel_reason');
  const text = typedField(refused, 'cancel_text');
  return {
    reasons: CANCEL_REASONS.map((value) => ({
      value,
      label: t(`words.cancelReason.${value}`),
      selected: value === reason.value,
    })),
    reasonError: reason.error,
    text,
    textLimit: CANCEL_TEXT_LIMIT,
    isOpen: refused?.typed['cancel_reason'] !== undefined,
  };
}
