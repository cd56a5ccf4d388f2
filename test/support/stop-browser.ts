/** Ends the browser of `start-browser.ts` after the tests. */
export default async function stopBrowser(): Promise<void> {
  await globalThis.browserServer?.close();
  globalThis.browserServer = undefined;
}
