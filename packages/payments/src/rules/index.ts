/** The rules of the payments. Pure: they load no package, and no other folder. */

export { type Attempt, hasGatewayId, isOffered, mayBePaid, payingAttemptOf } from './attempt.js';
export {
  type CardTokens,
  holdsCardNumber,
  isCardNumberAsPhone,
  maskCardNumbers,
  passesLuhn,
  readCardTokens,
} from './card-data.js';
export { changesRow } from './changes-row.js';
export type { Clock } from './clock.js';
export { decideEarlier, type EarlierDecision } from './decide-earlier.js';
export { firstOutsideDay } from './decide-outside.js';
export { decideReplacement, type Replacement } from './decide-replacement.js';
export { nextCardTime } from './decide-start.js';
export { type AdminDecision, DECISIONS, needsReview, openDecisions, reasonToReview } from './decision.js';
export type { DeclineReason } from './decline.js';
export { errorName } from './error-name.js';
export { isTestHost, kindOfKey } from './gateway-hosts.js';
export {
  findByToken,
  ID_BYTES,
  isOrderToken,
  numberInReference,
  ORDER_NUMBER_BYTES,
  ORDER_TOKEN_BYTES,
  orderNumber,
  orderToken,
  RETURN_PARAMETER,
  readOrderNumber,
  timeOrderedId,
} from './ids.js';
export { hasNoAnswer, type LookupResult, TRIGGERS } from './lookup.js';
export {
  type Centavos,
  CURRENCY,
  centavos,
  fromPesosText,
  hasForeignSeparators,
  readAmount,
  sum,
  times,
  toPesosText,
} from './money.js';
export {
  ATTEMPT_STATES,
  type AttemptState,
  isPayableAt,
  isUncertain,
  ORDER_STATES,
  type OrderState,
  PAYMENT_FLOWS,
  type PaymentFlow,
  type ReviewReason,
  UNCERTAIN_STATES,
  UNPAID_ENDS,
} from './order.js';
export { parseUrl } from './parse-url.js';
export { type GatewayLine, OFFER_MARGIN_MS, type Payer, phaseOf } from './payment.js';
export { PaymentError, type PaymentErrorCode } from './payment-error.js';
export { PAYMENT_LOG_FIELDS, type PaymentLogEvent } from './payment-log.js';
export { plainText } from './plain-text.js';
export type { Random } from './random.js';
export { isLoopbackHost } from './redirect.js';
export {
  isFullyRefunded,
  isInFlight,
  REFUND_REASON_LIMIT,
  REFUND_STATES,
  REFUND_WAYS,
  type RefundFacts,
  type RefundState,
  type RefundWay,
  refundable,
  refundedTotal,
} from './refund.js';
export { secretValues } from './secret-values.js';
export { secretsIn } from './weak-secret.js';
export { normalizeCredential, type WebhookAuth } from './webhook-auth.js';
