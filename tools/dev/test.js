// Runs Jest: the tests of the shop, with --all those of the template too. With paths, it runs only their files.

/** Projects of jest.config.js: every page and form, the template, another gateway, the other profiles of the simulator. */
const OTHERS = ['sweeps', 'template', 'second-gateway', 'minimal', 'public-docs'];
const isOption = (argument) => argument.startsWith('-');
const isPath = (argument) => /^(?:src|test|tools|packages)\//.test(argument);

const given = process.argv.slice(2);
const firstOption = given.findIndex(isOption);
const patterns = given.filter((argument, index) => isPath(argument) || firstOption < 0 || index < firstOption);
const options = given.filter((argument) => argument !== '--all' && !patterns.includes(argument));
const isNarrowed = patterns.length > 0 || options.includes('--selectProjects');
// Patterns come first: an option with several values takes all that follow it.
const isAll = given.includes('--all');
const group = isNarrowed || isAll ? [] : ['--ignoreProjects', ...OTHERS];
process.argv.splice(2, Infinity, ...patterns, ...options, ...group);
if (isAll) process.env.MODEL_RUNS ??= '60';
if (isAll) process.env.ALL_SCREENS ??= 'on';
await import('../../node_modules/jest/bin/jest.js');
