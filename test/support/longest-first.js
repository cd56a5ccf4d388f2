import TestSequencer from '@jest/test-sequencer';

/** The slowest test files. If one of them started last, the other cores would be idle. */
const LONGEST = [
  'template/restored-parts',
  'template/engines',
  'template/recipes',
  'template/faults',
  'template/removal',
  'template/new-version',
  'template/read-me',
  'template/deletable-tools',
  'sweeps/every-page',
  'sweeps/forms',
  'sweeps/accessibility',
  'card/sweeps/typing',
  'sweeps/cart',
  'model/interleavings',
  'features/pictures/pictures',
  'journeys/admin',
  'cli/commands',
  'web/attempt-limits',
  'flows/card/journeys/payment',
  'features/refunds/journey',
  'features/pay-link/journey',
  'test/search/search',
  'model/stock',
  'payments-in-shop/card-faults',
  'payments-in-shop/unended-attempts',
  'payments-in-shop/held-order',
  'payments-in-shop/worker',
  'web/sign-in',
  'web/admin',
  'payments-in-shop/database-faults',
  'gateway/faults',
  'gateway/connections',
  'product-import/import',
  'drill/test/drill',
];

export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const index = LONGEST.findIndex((name) => path.endsWith(`${name}.test.ts`));
      return index < 0 ? LONGEST.length : index;
    };
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }
}
