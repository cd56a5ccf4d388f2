import Sequencer from '@jest/test-sequencer';

/** One of these begun last would leave the other cores with nothing to do. */
const LONGEST = [
  'model/interleavings',
  'journeys/accessibility',
  'journeys/read-me',
  'project/new-shop',
  'project/two-shops',
  'project/drill',
];

/** Begins with what takes longest; Jest itself knows that only of what it has run before. */
// biome-ignore lint/style/noDefaultExport: Jest asks for one.
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => LONGEST.findIndex((name) => path.endsWith(`${name}.test.ts`));
    const known = (test) => (rank(test) < 0 ? LONGEST.length : rank(test));
    return super.sort(tests).sort((one, other) => known(one) - known(other));
  }
}
