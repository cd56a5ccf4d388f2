/** All scenarios in the order of execution. Those with long waiting phases come first. */
import type { Scenario } from './scenario.js';
import { crashSteps } from './scenarios/crash-steps.js';
import { forgedAnswers, forgedReturns, forgedWebhooks } from './scenarios/forged.js';
import { hangingMail } from './scenarios/hanging-mail.js';
import { kills } from './scenarios/kills.js';
import { lastPiece, lastPieceAtTwoShops } from './scenarios/last-piece.js';
import { lostAnswers } from './scenarios/lost-answers.js';
import { bothLost, gatewayDown } from './scenarios/outages.js';
import { refunds } from './scenarios/refunds.js';
import { sameInstant, sameInstantTwo } from './scenarios/same-instant.js';

export const scenarios: readonly Scenario[] = [
  crashSteps,
  kills,
  hangingMail,
  refunds,
  bothLost,
  gatewayDown,
  lastPiece,
  lastPieceAtTwoShops,
  sameInstant,
  sameInstantTwo,
  forgedAnswers,
  forgedReturns,
  forgedWebhooks,
  lostAnswers,
];
