/** One page of each browser engine. Chromium is the browser of the other tests, with its checks. */
import { openVisit } from '../../support/browser.js';
import type { TestShop } from '../../support/test-shop.js';
import { type EngineBrowser, openFirefox, openWebKit } from './webdriver.js';

export type Engine = 'chromium' | 'firefox' | 'webkit';

const { FIREFOX_PATH: firefox = '', WEBKIT_DRIVER_PATH: webkit = '', ENGINES } = process.env;

const hasProgram = (engine: Engine): boolean =>
  ({ chromium: true, firefox: firefox !== '', webkit: webkit !== '' })[engine];

/** Says whether the tests of an engine run. With `ENGINES=all` they fail if it is not installed. */
export const isTried = (engine: Engine): boolean => ENGINES === 'all' || hasProgram(engine);

interface EngineOptions {
  readonly javaScriptEnabled?: boolean;
  /** A problem that the browser is expected to report. Only Chromium reports problems. */
  readonly trouble?: RegExp;
}

/** Opens a browser of this engine. The URL of the shop is needed for the checks in Chromium. */
export async function openEngine(
  engine: Engine,
  shop: Pick<TestShop, 'url' | 'simulator'>,
  { javaScriptEnabled = true, trouble }: EngineOptions = {},
): Promise<EngineBrowser> {
  if (!hasProgram(engine)) throw new Error(`${engine} is not installed`);
  if (engine === 'firefox') return openFirefox(firefox, javaScriptEnabled);
  if (engine === 'webkit') return openWebKit(webkit, javaScriptEnabled);
  const visit = await openVisit(shop, { javaScriptEnabled });
  if (trouble) visit.expectTrouble(trouble);
  return visit;
}
