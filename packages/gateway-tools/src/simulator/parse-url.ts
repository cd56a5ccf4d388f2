/** Returns the URL of a text, or `undefined` if it is none. `URL.canParse` of Node.js 20 refuses hosts with accented letters after some 5,000 calls. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
