import { availableParallelism } from 'node:os';

const transform = {
  '^.+\\.ts$': [
    '@swc/jest',
    {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
      module: { type: 'es6' },
    },
  ],
};

const shared = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform,
};

/** What talks to the service is run once for each of the two ways the service may speak. */
const profile = (simulatorProfile, files) => ({
  ...shared,
  displayName: simulatorProfile,
  testMatch: files.map((file) => `<rootDir>/test/${file}.test.ts`),
  globals: { simulatorProfile },
});

export default {
  randomize: true,
  // Much of what these tests do is waiting for other processes.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  testSequencer: '<rootDir>/test/support/longest-first.js',
  // A shared machine may stand still for a while: what hangs is told all the same, and what is slow is no failure.
  testTimeout: 90_000,
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  projects: [
    {
      ...shared,
      displayName: 'units',
      testMatch: [
        '<rootDir>/test/{core,store,simulator,doctor,new-shop,project}/**/*.test.ts',
        '<rootDir>/test/*.test.ts',
      ],
    },
    profile('interface', ['{gateway,contract,checkout,web,model,journeys}/**/*']),
    // What the other tests look at is the same whichever way the service speaks.
    profile('public-docs', [
      'gateway/{answers,faults,recorded-conversations,retries,wire}',
      'contract/*',
      'checkout/{card-payment,decisions,hosted-checkout,lookup-faults,recorded-orders,return,webhooks}',
      'model/*',
      'journeys/bank',
    ]),
  ],
};
