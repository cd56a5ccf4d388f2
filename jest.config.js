import { availableParallelism } from 'node:os';

/** Files in which the simulator profile changes what the gateway answers. They run once more for each profile. */
const PROFILE_FILES = [
  'packages/payments/test/gateway/{answers,promises,refunds,wire}',
  'test/payments-in-shop/card-payment',
  'test/payments-in-shop/return',
  'test/payments-in-shop/model/interleavings',
  'test/example/purchases',
];
const PROFILES = ['minimal', 'public-docs'];
/** The interface shows no refunds. */
const EXCEPT = { minimal: ['packages/payments/test/gateway/refunds'] };

/** These files replace those of `packages/payments/src/gateway/` in the files that run with another adapter. They may be deleted. */
const ADAPTER = 'packages/payments/test/gateway/second-gateway';
const ADAPTER_FILES = [`${ADAPTER}/*`, 'test/payments-in-shop/second-gateway'];

/** Files that need a browser. */
const BROWSER_FILES = [
  ...['test/journeys/**/*', 'src/features/*/test/**/journey'],
  ...['test/flows/*/journeys/*', 'test/locales/*/journeys/*'],
];

/** Files that go through every page, form or field. Like those of the template, only `npm run test:all` runs them. */
const SWEEP_FILES = ['test/**/sweeps/**/*', 'src/features/*/test/**/sweeps/**/*'];

/** Files about the template itself: its documents, recipes, example, tools, tests and image, and the searches that take minutes. */
const TEMPLATE_FILES = [
  'test/template/**/*',
  'test/example/**/*',
  'tools/*/test/**/*',
  'packages/gateway-tools/test/**/*',
  'packages/payments/test/gateway/promises/bad-adapters',
  'test/project/production',
  'test/payments-in-shop/model/replay',
];

const BROWSER = {
  testEnvironment: '<rootDir>/test/support/browser-environment.js',
  globalSetup: '<rootDir>/test/support/start-browser.ts',
  globalTeardown: '<rootDir>/test/support/stop-browser.ts',
};

const project = (displayName, files, { except = [], ...options } = {}) => ({
  displayName,
  testMatch: [...files.map((file) => `<rootDir>/${file}.test.ts`), ...except.map((file) => `!**/${file}.test.ts`)],
  testEnvironment: '<rootDir>/test/support/node-environment.js',
  extensionsToTreatAsEsm: ['.ts'],
  runtime: '<rootDir>/test/support/native-runtime.js',
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { target: 'es2023', parser: { syntax: 'typescript' } } }],
  },
  ...options,
});

export default {
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  testSequencer: '<rootDir>/test/support/longest-first.js',
  reporters: ['<rootDir>/test/support/progress-reporter.js', 'summary'],
  randomize: true,
  // Long enough for a busy machine. A test that hangs still fails.
  testTimeout: 90_000,
  // A percentage above 100 would be read as a number of workers.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  workerGracefulExitTimeout: 10_000,
  // The modules of earlier files stay in the memory of a worker and slow it down.
  workerIdleMemoryLimit: '1GB',
  // `npm test` runs `server` and `browser`. See `tools/dev/test.js`.
  projects: [
    project('server', ['test/**/*', 'src/features/*/test/**/*', 'packages/*/test/**/*'], {
      except: [...BROWSER_FILES, ...SWEEP_FILES, ...TEMPLATE_FILES, ...ADAPTER_FILES],
    }),
    project('second-gateway', ADAPTER_FILES, { globals: { GATEWAY_FILES: ADAPTER } }),
    project('browser', BROWSER_FILES, BROWSER),
    ...PROFILES.map((profile) =>
      project(profile, PROFILE_FILES, { except: EXCEPT[profile], globals: { SIMULATOR_PROFILE: profile } }),
    ),
    project('sweeps', SWEEP_FILES, BROWSER),
    project('template', TEMPLATE_FILES, BROWSER),
  ],
};
