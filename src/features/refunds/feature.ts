import { isRefundable } from '../../checkout/refund-payment.js';
import { handleRefundEvent } from '../../checkout/resolve-refund.js';
import { expireRefundLeases } from '../../checkout/write-refund-outcome.js';
import type { Feature } from '../feature.js';

/** Refunds and chargebacks of confirmed payments. */
export const refunds: Feature = {
  loops: [{ name: 'refunds', maxBatches: 1, process: expireRefundLeases }],
  handleWebhook: handleRefundEvent,
  isRefundable,
};
