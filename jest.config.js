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

/** Tests that call the gateway run once with each simulator profile. */
const profile = (simulatorProfile, files) => ({
  ...shared,
  displayName: simulatorProfile,
  testMatch: files.map((file) => `<rootDir>/${file}.test.ts`),
  globals: { simulatorProfile },
});

export default {
  randomize: true,
  // More workers than cores: the tests mostly wait for other processes.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  testSequencer: '<rootDir>/test/support/longest-first.js',
  // Long enough for a busy machine. A test that hangs still fails.
  testTimeout: 90_000,
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  projects: [
    {
      ...shared,
      displayName: 'units',
      testMatch: [
        '<rootDir>/test/{catalog,cli,content,domain,db,project}/**/*.test.ts',
        '<rootDir>/test/*.test.ts',
        '<rootDir>/tools/{bench,dev,doctor,drill,setup,simulator}/test/**/*.test.ts',
        '<rootDir>/tools/contract/test/command.test.ts',
      ],
    },
    profile('interface', ['test/{gateway,checkout,web,model,journeys}/**/*', 'tools/contract/test/contract']),
    // Files in which the profile changes what the gateway answers. The other tests do not depend on it.
    profile('public-docs', [
      'test/gateway/answers',
      'tools/contract/test/contract',
      'test/checkout/card-payment',
      'test/model/interleavings',
    ]),
  ],
};
