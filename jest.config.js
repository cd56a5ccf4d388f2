import { availableParallelism } from 'node:os';

/** Files in which the simulator profile changes what the gateway answers. They run once more for each profile. */
const PROFILE_FILES = [
  'test/gateway/{answers,promises,refunds,wire}',
  'tools/contract/test/contract',
  'test/checkout/card-payment',
  'test/checkout/return',
  'test/model/interleavings',
];
const PROFILES = ['minimal', 'public-docs'];

/** Files that need a browser. */
const BROWSER_FILES = ['test/journeys/**/*', 'test/features/*/journey', 'test/template/read-me'];

const project = (displayName, files, options) => ({
  displayName,
  testMatch: files.map((file) => `<rootDir>/${file}.test.ts`),
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  resolver: '<rootDir>/test/support/resolve-source.cjs',
  transform: { '\\.ts$': ['@swc/jest', { jsc: { target: 'es2023', parser: { syntax: 'typescript' } } }] },
  setupFiles: ['<rootDir>/test/support/set-up.ts'],
  ...options,
});

export default {
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  testSequencer: '<rootDir>/test/support/longest-first.js',
  randomize: true,
  // Long enough for a busy machine. A test that hangs still fails.
  testTimeout: 90_000,
  // A percentage above 100 would be read as a number of workers.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  workerGracefulExitTimeout: 10_000,
  projects: [
    project('server', ['{test,tools/*/test}/**/*'], {
      testPathIgnorePatterns: [
        ...['/node_modules/', '/test/journeys/', '/journey.test', '/test/template/read-me'],
        '/test/gateway/second-gateway/',
      ],
    }),
    // The shop with another adapter in place of the files of `src/gateway/`.
    project('second-gateway', ['test/gateway/second-gateway/*'], {
      resolver: '<rootDir>/test/gateway/second-gateway/resolve-gateway.cjs',
    }),
    project('browser', BROWSER_FILES, { globalSetup: '<rootDir>/test/support/find-browser.ts' }),
    ...PROFILES.map((profile) => project(profile, PROFILE_FILES, { globals: { SIMULATOR_PROFILE: profile } })),
  ],
};
