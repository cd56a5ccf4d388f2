import type { Snapshot } from '../../src/rules/transition.js';

/** A pending order with one open attempt, and nothing beside it. */
export const PENDING: Snapshot = {
  order: 'pending',
  attempt: 'open',
  hasOtherLiveAttempt: false,
  mayBeCharged: false,
  hasOtherOffer: false,
  isAlreadyPaid: false,
  awaitsCustomer: false,
  paysTheOrder: false,
  isOtherEnvironment: false,
  hasOtherReview: false,
  hasOtherEnvironment: false,
  hasGoods: true,
  lacksGoods: false,
  isHostBehind: false,
  missesRefund: false,
};
