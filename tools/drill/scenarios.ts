/** All scenarios in the order of execution. Those with long waiting phases come first. */
import type { Scenario } from './scenario.js';
import { changedPrice } from './scenarios/changed-price.js';
import { lastPiece, lastPieceAtTwoShops, sameInstant, sameInstantTwo } from './scenarios/competition.js';
import { crashSteps } from './scenarios/crash-steps.js';
import { failingHost } from './scenarios/failing-host.js';
import { forgedAnswers, forgedReturns, forgedWebhooks } from './scenarios/forged.js';
import { frozenProcess } from './scenarios/frozen-process.js';
import { kills } from './scenarios/kills.js';
import { latePayment } from './scenarios/late-payment.js';
import { merchantChanges } from './scenarios/merchant-changes.js';
import { bothLost, gatewayDown, hangingMail, lostAnswers } from './scenarios/outages.js';
import { refunds } from './scenarios/refunds.js';
import { twoDevices } from './scenarios/two-devices.js';

export const scenarios: readonly Scenario[] = [
  crashSteps,
  kills,
  hangingMail,
  refunds,
  bothLost,
  gatewayDown,
  latePayment,
  failingHost,
  twoDevices,
  merchantChanges,
  lastPiece,
  lastPieceAtTwoShops,
  frozenProcess,
  changedPrice,
  sameInstant,
  sameInstantTwo,
  forgedAnswers,
  forgedReturns,
  forgedWebhooks,
  lostAnswers,
];
