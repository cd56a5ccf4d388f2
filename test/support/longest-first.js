import TestSequencer from '@jest/test-sequencer';

/** The slowest test files. If one of them started last, the other cores would be idle. */
const LONGEST = [
  'template/read-me',
  'template/recipes',
  'drill/test/drill',
  'journeys/accessibility',
  'journeys/engines',
  'journeys/storefront',
  'journeys/forms',
  'journeys/typing',
  'journeys/admin',
  'project/deletable-tools',
  'model/interleavings',
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
