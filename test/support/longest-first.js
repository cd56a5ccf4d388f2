import TestSequencer from '@jest/test-sequencer';

/** The slowest test files. If one of them started last, the other cores would be idle. */
const LONGEST = [
  'template/engines',
  'template/recipes',
  'template/faults',
  'journeys/typing',
  'template/removal',
  'journeys/forms',
  'template/deletable-tools',
  'template/read-me',
  'journeys/accessibility',
  'model/search/search',
  'journeys/admin',
  'gateway/connections',
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
