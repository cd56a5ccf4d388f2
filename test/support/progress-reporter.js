import { relative } from 'node:path';

const SLOWEST = 10;

/**
 * Prints a line per file with the progress of the run, what a failed file reports, and the command that repeats it. At the
 * end it prints the slowest tests.
 */
export default class ProgressReporter {
  #globalConfig;
  #finished = 0;
  #failed = 0;
  #tests = [];

  constructor(globalConfig) {
    this.#globalConfig = globalConfig;
  }

  onTestResult({ path, context }, result, { numTotalTestSuites }) {
    const { displayName, rootDir } = context.config;
    const file = relative(rootDir, path);
    const hasFailed = result.testExecError !== undefined || result.numFailingTests > 0;
    this.#finished += 1;
    if (hasFailed) this.#failed += 1;
    const seconds = inSeconds(result.perfStats.end - result.perfStats.start);
    const progress = `[${this.#finished}/${numTotalTestSuites}${this.#failed > 0 ? `, ${this.#failed} failed` : ''}]`;
    print(`${progress} ${hasFailed ? 'FAIL' : 'pass'} ${displayName.name} ${file} (${seconds})`);
    for (const { message, origin } of result.console ?? []) print(`${message}\n${origin}`);
    if (hasFailed) {
      print(result.failureMessage ?? '');
      print(`To repeat: npm test -- ${file} --selectProjects ${displayName.name} --seed=${this.#globalConfig.seed}\n`);
    }
    for (const { fullName, duration } of result.testResults)
      this.#tests.push({ file, fullName, duration: duration ?? 0 });
  }

  onRunComplete() {
    if (this.#tests.length <= SLOWEST) return;
    print(`\nThe ${SLOWEST} slowest tests:`);
    const slowest = this.#tests.sort((one, other) => other.duration - one.duration).slice(0, SLOWEST);
    for (const { file, fullName, duration } of slowest) print(`  ${inSeconds(duration)} ${file}: ${fullName}`);
  }
}

function inSeconds(ms) {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function print(line) {
  process.stderr.write(`${line}\n`);
}
