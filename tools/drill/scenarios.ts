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
import { kills } from './scenarios/kills.js';
import { lostAnswers } from './scenarios/lost-answers.js';
import { bothLost, serviceDown } from './scenarios/lost-news.js';
import { parallel } from './scenarios/parallel.js';
import { sameInstant, sameInstantTwo } from './scenarios/same-instant.js';
import { serviceFaults } from './scenarios/service-faults.js';
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
  serviceDown,
  latePayment,
  secondPayment,
  supersededPage,
  serviceFaults,
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
