import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import JestRuntime from 'jest-runtime';

register('./source-loader.js', import.meta.url);
process.setSourceMapsEnabled(true);

let files = 0;

/**
 * Imports test files into the realm of the worker. Node then loads packages and `src/` once per worker, and the files of the
 * tests once per test file. Jest would load all of them again, which took 0.4 s of processor time for each test file.
 */
export default class NativeRuntime extends JestRuntime {
  #globals;
  #gateway;

  constructor(config, ...others) {
    super(config, ...others);
    const { GATEWAY_FILES: folder, SIMULATOR_PROFILE: profile } = config.globals;
    if (profile === undefined) delete process.env.SIMULATOR_PROFILE;
    else process.env.SIMULATOR_PROFILE = profile;
    if (folder !== undefined) this.#gateway = pathToFileURL(`${config.rootDir}/${folder}/`).href;
  }

  setGlobalsForRuntime(globals) {
    super.setGlobalsForRuntime(globals);
    this.#globals = globals;
  }

  /** Loads the packages of Jest, such as `expect`, once per worker. Without `name` the file has the state of the tests. */
  requireInternalModule(from, name) {
    const isPackage = name !== undefined && /^[@\w]/.test(name);
    return isPackage ? createRequire(from)(name) : super.requireInternalModule(from, name);
  }

  async unstable_importModule(path) {
    // Node translates the lines of stacks. Jest replaced its function, and knows only files that it loads itself.
    Error.prepareStackTrace = undefined;
    globalThis.jestGlobals = { ...this.#globals, jest: this.jestGlobals.jestObjectFor(path) };
    const url = pathToFileURL(path);
    files += 1;
    url.searchParams.set('file', files);
    if (this.#gateway !== undefined) url.searchParams.set('gateway', this.#gateway);
    await import(url);
  }
}
