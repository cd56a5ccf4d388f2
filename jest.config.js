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
const profile = (simulatorProfile, ...onceIsEnough) => ({
  ...shared,
  displayName: simulatorProfile,
  testMatch: ['<rootDir>/test/{gateway,contract,checkout,web,model,journeys}/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...onceIsEnough],
  globals: { simulatorProfile },
});

export default {
  randomize: true,
  // Jest leaves one core idle by itself; much of what these tests do is waiting for other processes.
  maxWorkers: '100%',
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
    profile('interface'),
    // What these look at is the same whichever way the service speaks.
    profile(
      'public-docs',
      '/test/journeys/(?!bank|card-page|coming-back|without-javascript)',
      '/test/web/(?!(?:card-data|leaks|order|refusals))',
    ),
  ],
};
