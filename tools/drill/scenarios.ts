/** All scenarios in the order of execution. Those with long waiting phases come first. */
import type { Scenario } from './scenario.js';
import {
  abandonedBankPage,
  hangingMail,
  malformedWebhooks,
  unknownAttempts,
} from './scenarios/background.js';
import { crashSteps } from './scenarios/crash-steps.js';
import { credentials } from './scenarios/credentials.js';
import { fiveSubmits } from './scenarios/five-submits.js';
import { forgedAnswers, forgedReturns, forgedWebhooks } from './scenarios/forged.js';
import { gatewayFaults } from './scenarios/gateway-faults.js';
import { kills } from './scenarios/kills.js';
import { lostAnswers } from './scenarios/lost-answers.js';
import { bothLost, gatewayDown } from './scenarios/lost-news.js';
import { parallel } from './scenarios/parallel.js';
import { sameInstant, sameInstantTwo } from './scenarios/same-instant.js';
import {
  backAfterPaying,
  doubleClick,
  latePayment,
  secondPayment,
  supersededPage,
} from './scenarios/stories.js';

export const scenarios: readonly Scenario[] = [
  crashSteps,
  kills,
  hangingMail,
  malformedWebhooks,
  unknownAttempts,
  abandonedBankPage,
  bothLost,
  gatewayDown,
  latePayment,
  secondPayment,
  supersededPage,
  gatewayFaults,
  sameInstant,
  sameInstantTwo,
  fiveSubmits,
  forgedAnswers,
  forgedReturns,
  forgedWebhooks,
  credentials,
  lostAnswers,
  doubleClick,
  backAfterPaying,
  parallel,
];
