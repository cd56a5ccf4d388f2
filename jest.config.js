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

/** The rooms that talk to the service are run once for each of the two ways the service may speak. */
const profile = (simulatorProfile) => ({
  ...shared,
  displayName: simulatorProfile,
  testMatch: ['<rootDir>/test/{gateway,checkout,web,model,journeys}/**/*.test.ts'],
  globals: { simulatorProfile },
});

export default {
  randomize: true,
  testTimeout: 30_000,
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  projects: [
    {
      ...shared,
      displayName: 'units',
      testMatch: ['<rootDir>/test/{core,store,simulator,project}/**/*.test.ts', '<rootDir>/test/*.test.ts'],
    },
    profile('interface'),
    profile('public-docs'),
  ],
};
