import { chromium, selectors } from 'playwright-core';
import NodeEnvironment from './node-environment.js';

selectors.setTestIdAttribute('data-test');

/** Offers the tests of a file the browser of the run, as the global function `connectBrowser`. See `start-browser.ts`. */
export default class BrowserEnvironment extends NodeEnvironment {
  #connecting;

  async setup() {
    await super.setup();
    globalThis.connectBrowser = () => {
      this.#connecting ??= connect();
      return this.#connecting;
    };
  }

  async teardown() {
    // A browser that could not be started failed the tests before.
    const browser = await this.#connecting?.catch(() => undefined);
    await browser?.close();
    await super.teardown();
  }
}

async function connect() {
  const { CHROMIUM_ENDPOINT: endpoint, CHROMIUM_PROBLEM: problem } = process.env;
  if (endpoint === undefined) throw new Error(problem ?? 'CHROMIUM_ENDPOINT is not set');
  return chromium.connect(endpoint);
}
