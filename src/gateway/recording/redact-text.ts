/** Of an answer that is no JSON only its beginning is kept, and in it only the words of web and error pages. */

/** Characters. */
const LONGEST = 2_000;

const KNOWN: ReadonlySet<string> = new Set(
  `html head body title doctype meta charset utf div span p br hr h h1 h2 h3 a ul li center pre script style link xml
  nginx apache cloudflare openresty varnish cloudfront json null true false undefined nan
  bad good gateway proxy server service internal error errors unavailable temporarily temporary timeout timed out time
  not found forbidden unauthorized denied access request requests too many large long method allowed response upstream
  connection refused reset closed host origin web page moved permanently redirect redirecting here maintenance under
  the this that is was are be to of in on for from by and or your you we please try again later back soon
  payment required status message code ok okay success paid completed pending declined expired cancelled failed`.split(
    /\s+/,
  ),
);

/**
 * The beginning of a text: known words and ASCII punctuation as they are, every other letter an x, every digit a 0. Names,
 * addresses, tokens and numbers are none of the known words, however they are written.
 */
export function redactText(text: string, secrets: readonly string[]): string {
  const bare = secrets.reduce((rest, secret) => rest.replaceAll(secret, 'x'.repeat(secret.length)), text);
  return bare
    .slice(0, LONGEST)
    .replace(/[\p{L}\p{M}\p{N}]+|[^\t\n\r -~]/gu, (run) => (isKnown(run) ? run : masked(run)));
}

function isKnown(run: string): boolean {
  return KNOWN.has(run.toLowerCase());
}

function masked(run: string): string {
  return run.replace(/[0-9]/g, '0').replace(/[^0-9]/gu, 'x');
}
