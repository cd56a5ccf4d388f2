import Sequencer from '@jest/test-sequencer';

/** The slowest test files. If one of them started last, the other cores would be idle. */
const LONGEST = [
  'journeys/read-me',
  'project/recipes',
  'drill/test/drill',
  'journeys/accessibility',
  'journeys/storefront',
  'journeys/admin',
  'project/deletable-tools',
  'model/interleavings',
];

/** Starts the slowest test files first. Jest knows durations only from earlier runs. */
// biome-ignore lint/style/noDefaultExport: Jest asks for one.
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => LONGEST.findIndex((name) => path.endsWith(`${name}.test.ts`));
    const known = (test) => (rank(test) < 0 ? LONGEST.length : rank(test));
    return super.sort(tests).sort((one, other) => known(one) - known(other));
  }
}
