const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
/** Characters that XML 1.0 forbids, section 2.2. Halves of surrogate pairs are among them. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Returns an element with this text. Escapes the text, and removes characters that XML 1.0 forbids. */
export function element(name: string, text: string): string {
  return parent(name, [text.replace(FORBIDDEN, '').replace(/[&<>"']/g, (each) => ESCAPES[each] ?? '')]);
}

/** Returns an element with these elements, which are written as they are. */
export function parent(name: string, children: readonly string[]): string {
  return `<${name}>${children.join('')}</${name}>`;
}
