/** Parses the texts of pages within limits, each once. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Marked, Renderer, type Tokens } from 'marked';

/** Returns the address of a picture below `public/`. */
export type AssetUrl = (path: string) => string;

/** A parsed text with the addresses of its pictures, or what is wrong in it. */
export type ParsedMarkdown = { readonly pictures: readonly string[] } & (
  | { readonly title: string; readonly html: () => string; readonly problem?: never }
  | { readonly problem: 'heading' | 'markdown' }
);

/** Targets of links: pages of the shop, and addresses that run no script. */
const TARGET = /^(?:https?:|mailto:|tel:|[^:&]*(?:[/?#]|$))/i;

/** The parser's time grows with the square of these, and other requests wait meanwhile. Characters include the values. */
const LIMITS = { characters: 60_000, lines: 2_000, charactersAfterMarks: 1_500_000 } as const;
/** The parser is called again within each of these marks. A line of one repeated mark is a rule. */
const DEEP_MARKS = /^(?![ \t]*([*-])(?:[ \t]*\1)*[ \t]*$)[ \t]*(?:>[ \t]*|(?:[*+-]|\d{1,9}[.)])[ \t]+){20}/m;

function isTooLong(text: string): boolean {
  return text.length > LIMITS.characters || text.split('\n').length > LIMITS.lines || DEEP_MARKS.test(text);
}

/** The parser of one text, because it counts what it reads. */
function createMarkdown(assetUrl: AssetUrl): Marked {
  let left: number = LIMITS.charactersAfterMarks;
  /** For each mark the parser searches the rest of its paragraph for the other one. It asks at each mark for a link. */
  const limited = (rest: string): false => {
    if (/^(?:[*_~`[<]|!\[)/.test(rest)) left -= rest.length;
    if (left < 0) throw new RangeError('the text has too many marks');
    return false;
  };
  return new Marked({
    tokenizer: {
      // Without these two rules HTML is plain text, which the renderer escapes.
      html: () => undefined,
      tag: () => undefined,
      link: limited,
    },
    renderer: {
      link(token) {
        return TARGET.test(token.href)
          ? Renderer.prototype.link.call(this, token)
          : this.parser.parseInline(token.tokens);
      },
      image(token) {
        return Renderer.prototype.image.call(this, { ...token, href: assetUrl(token.href) });
      },
    },
  });
}

/** Leaves the addresses of pictures as they are. */
export const asWritten: AssetUrl = (path) => path;
const MAX_PARSED = 500;
/** The texts as they were parsed, by their hash: a change of any setting parses only the texts that it changes. */
const parsedTexts = new WeakMap<AssetUrl, LRUCache<string, ParsedMarkdown>>();

/** Parses a text once, and returns the same result later. */
export function parseMarkdown(text: string, assetUrl: AssetUrl): ParsedMarkdown {
  const known = parsedTexts.get(assetUrl) ?? new LRUCache({ max: MAX_PARSED });
  parsedTexts.set(assetUrl, known);
  const hash = createHash('sha256').update(text).digest('base64');
  const found = known.get(hash) ?? parseUnknown(text, assetUrl);
  known.set(hash, found);
  return found;
}

function parseUnknown(text: string, assetUrl: AssetUrl): ParsedMarkdown {
  const pictures: string[] = [];
  if (isTooLong(text)) return { problem: 'markdown', pictures };
  const markdown = createMarkdown((path) => {
    pictures.push(path);
    return assetUrl(path);
  });
  try {
    const tokens = markdown.lexer(text);
    // A text that is nested too deeply ends the stack here, and not on its page.
    const html = markdown.parser(tokens);
    const heading = tokens.find((token): token is Tokens.Heading => token.type === 'heading');
    return heading ? { title: heading.text, html: () => html, pictures } : { problem: 'heading', pictures };
  } catch {
    return { problem: 'markdown', pictures: [] };
  }
}

/** Returns the addresses of the pictures in a text. A text that cannot be parsed has none. */
export function picturesIn(text: string): readonly string[] {
  return parseMarkdown(text, asWritten).pictures;
}
