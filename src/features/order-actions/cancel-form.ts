/** The form that cancels an unpaid order, with its reason. */
import { CANCEL_REASONS } from '../../shop/rules/cancellation.js';
import { choice, text } from '../../web/fields.js';
import type { FormFields } from '../../web/form.js';

/** In characters. */
const TEXT_LIMIT = 200;

export const CANCEL_FIELDS = {
  cancel_reason: choice(CANCEL_REASONS, (reason) => `words.cancelReason.${reason}`, {
    kind: 'list',
    isRequired: true,
    label: 'orderActions.cancelReason',
    choose: 'orderActions.chooseReason',
    problem: 'orderActions.cancelReasonProblem',
  }),
  cancel_text: text({
    label: 'orderActions.cancelText',
    hint: 'orderActions.cancelTextHint',
    limit: TEXT_LIMIT,
    isOptional: ({ texts }) => texts['cancel_reason'] !== 'other',
    problem: (t) => t('orderActions.cancelTextProblem', { limit: TEXT_LIMIT }),
  }),
} as const satisfies FormFields;
