/** The XML of an invoice (CFDI 4.0). What a browser would run is refused: the customer gets the file by mail. */
import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { SaxesParser, type SaxesTagNS } from 'saxes';

const SAT = 'http://www.sat.gob.mx/';
const CFDI = `${SAT}cfd/4`;
const XML_SCHEMA = 'http://www.w3.org/2001/XMLSchema-instance';
/** Of `xmlns`, and of `xml:lang` and `xml:space`. */
const OF_XML = ['http://www.w3.org/2000/xmlns/', 'http://www.w3.org/XML/1998/namespace'];
/** Browsers run scripts of elements in these namespaces, also inside of other XML. */
const RUN_BY_BROWSERS = ['http://www.w3.org/1999/xhtml', 'http://www.w3.org/2000/svg'];

/** Data of the file. Absent attributes are empty. */
export interface Cfdi {
  readonly version: string;
  readonly total: string;
  readonly currency: string;
  readonly receiverRfc: string;
}

/** Thrown by the parser's callbacks. The parser throws its own errors for what is not well-formed. */
class NoCfdi extends Error {}

/** An invoice has less. The parser needs more time for each level, and for all attributes of an element at once. */
const MAX_DEPTH = 64;
const MAX_ATTRIBUTES = 500;
/** Characters that are parsed at once. Other requests run in between. */
const CHUNK = 16 * 1024;

/**
 * Returns the data of a file whose root is `Comprobante` of CFDI 4.0, or `undefined` for another file. Elements and attributes
 * have namespaces of the SAT or of XML Schema. Below `Addenda` any other is accepted, but no XHTML and SVG.
 */
export async function readCfdi(bytes: Buffer): Promise<Cfdi | undefined> {
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString('utf8').replace(/^\uFEFF?\s*/, '');
  const found = { version: '', total: '', currency: '', receiverRfc: '' };
  const parser = cfdiParser(found);
  try {
    for (let at = 0; at < text.length; at += CHUNK) {
      parser.write(text.slice(at, at + CHUNK));
      await setImmediate();
    }
    parser.close();
    return found;
  } catch {
    return undefined;
  }
}

/** Returns a parser that writes into `found`, and throws at the first part that is refused. */
function cfdiParser(found: { -readonly [Name in keyof Cfdi]: string }) {
  const open: SaxesTagNS[] = [];
  let attributes = 0;
  const parser = new SaxesParser({ xmlns: true });
  const refuse = () => {
    throw new NoCfdi();
  };
  parser.on('doctype', refuse);
  parser.on('processinginstruction', refuse);
  parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
    if (!/^utf-?8$/i.test(encoding)) refuse();
  });
  for (const kind of ['text', 'cdata', 'comment'] as const)
    parser.on(kind, (content) => {
      if (hasScriptUrl(content)) refuse();
    });
  parser.on('opentagstart', () => {
    attributes = 0;
  });
  parser.on('attribute', ({ value }) => {
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES || hasScriptUrl(value)) refuse();
  });
  parser.on('opentag', (tag) => {
    if (open.length > MAX_DEPTH || !isAccepted(tag, isInAddenda(open))) refuse();
    if (open.length === 0) Object.assign(found, readRoot(tag));
    if (open.length === 1 && isCfdiTag(tag, 'Receptor')) found.receiverRfc ||= attributeOf(tag, 'Rfc');
    open.push(tag);
  });
  parser.on('closetag', () => {
    open.pop();
  });
  return parser;
}

function readRoot(tag: SaxesTagNS) {
  if (!isCfdiTag(tag, 'Comprobante')) throw new NoCfdi();
  return {
    version: attributeOf(tag, 'Version'),
    total: attributeOf(tag, 'Total'),
    currency: attributeOf(tag, 'Moneda'),
  };
}

function isCfdiTag({ local, uri }: SaxesTagNS, name: string): boolean {
  return local === name && uri === CFDI;
}

function isInAddenda([, second]: readonly SaxesTagNS[]): boolean {
  return second !== undefined && isCfdiTag(second, 'Addenda');
}

function isAccepted({ uri, attributes }: SaxesTagNS, isBelowAddenda: boolean): boolean {
  const isKnown = (namespace: string) =>
    isBelowAddenda ? !RUN_BY_BROWSERS.includes(namespace) : namespace.startsWith(SAT) || namespace === XML_SCHEMA;
  const uris = Object.values(attributes).map((each) => each.uri);
  return isKnown(uri) && uris.every((each) => each === '' || OF_XML.includes(each) || isKnown(each));
}

/** Browsers ignore control characters in the scheme of an address. */
function hasScriptUrl(text: string): boolean {
  return /javascript:/i.test(text.replace(/\p{Cc}/gu, ''));
}

function attributeOf({ attributes }: SaxesTagNS, name: string): string {
  return attributes[name]?.value.trim() ?? '';
}
