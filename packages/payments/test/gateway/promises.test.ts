import { profileOfThisRun } from '../../../../test/support/test-shop.js';
import { describePromises, PROMISES } from './promises/promises.js';
import { openSimulatedPair } from './promises/simulated-pair.js';

// The interface shows no refunds, so the profile `minimal` has none.
const withoutRefunds = PROMISES.filter(({ name }) => !name.startsWith('refundPayment'));
const promises = profileOfThisRun() === 'minimal' ? withoutRefunds : PROMISES;

describePromises('the adapter of packages/payments/src/gateway', openSimulatedPair, promises);
