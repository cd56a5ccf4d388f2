/** All scenarios in the order of execution. Those with long waiting phases come first. */
import type { Scenario } from './scenario.js';
import { abandonedBankPage, hangingMail, unknownAttempts } from './scenarios/background.js';
import { latePayment, secondPayment } from './scenarios/changed-orders.js';
import { crashSteps } from './scenarios/crash-steps.js';
import { forgedAnswers, forgedReturns, forgedWebhooks } from './scenarios/forged.js';
import { gatewayFaults } from './scenarios/gateway-faults.js';
import { kills } from './scenarios/kills.js';
import { lostAnswers } from './scenarios/lost-answers.js';
import { bothLost, gatewayDown } from './scenarios/outages.js';
import { parallel } from './scenarios/parallel.js';
import { backAfterPaying, fiveSubmits } from './scenarios/repeated-submits.js';
import { sameInstant, sameInstantTwo } from './scenarios/same-instant.js';
import { lastPiece, lastPieceAtTwoShops, lateMoneyOversold } from './scenarios/stock.js';

export const scenarios: readonly Scenario[] = [
  crashSteps,
  kills,
  hangingMail,
  unknownAttempts,
  abandonedBankPage,
  bothLost,
  gatewayDown,
  latePayment,
  secondPayment,
  lastPiece,
  lastPieceAtTwoShops,
  lateMoneyOversold,
  gatewayFaults,
  sameInstant,
  sameInstantTwo,
  fiveSubmits,
  backAfterPaying,
  forgedAnswers,
  forgedReturns,
  forgedWebhooks,
  lostAnswers,
  parallel,
];
