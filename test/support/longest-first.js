import TestSequencer from '@jest/test-sequencer';

/** The slowest test files. If one of them started last, the other cores would be idle. */
const LONGEST = [
  'journeys/engines',
  'template/recipes',
  'template/faults',
  'journeys/typing',
  'features/removal',
  'journeys/forms',
  'project/deletable-tools',
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
