import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const JOURNEYS = 'test/journeys/**/*.test.ts';

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

/** The simulator profiles beside `interface`. Each is a project of its own. */
const PROFILES = ['minimal', 'public-docs'];

/** Files in which the profile changes what the gateway answers. The other tests do not depend on it. */
const PROFILE_FILES = [
  'test/gateway/*.test.ts',
  'tools/contract/test/contract.test.ts',
  'test/checkout/card-payment.test.ts',
  'test/checkout/return.test.ts',
  'test/model/interleavings.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      // A change of the project starts a new worker, so the profiles are last, one after the other.
      const profile = PROFILES.indexOf(project.name);
      if (profile >= 0) return LONGEST.length + 1 + profile;
      const index = LONGEST.findIndex((name) => moduleId.endsWith(`${name}.test.ts`));
      return index < 0 ? LONGEST.length : index;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    // All files of a worker share the loaded modules. Loading them for each file takes a quarter of the time.
    isolate: false,
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst, shuffle: { tests: true } },
    // Long enough for a busy machine. A test that hangs still fails.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    globalSetup: 'test/support/global-setup.ts',
    projects: [
      {
        extends: true,
        test: { name: 'server', include: ['{test,tools/*/test}/**/*.test.ts'], exclude: [JOURNEYS] },
      },
      {
        extends: true,
        test: { name: 'browser', include: [JOURNEYS], globalSetup: 'test/support/find-browser.ts' },
      },
      ...PROFILES.map((name) => ({
        extends: true as const,
        test: { name, include: PROFILE_FILES, env: { SIMULATOR_PROFILE: name } },
      })),
    ],
  },
});
