/** The content of the files of an invoice. Pure. */
import { isUtf8 } from 'node:buffer';
import type { FileKind } from './repository.js';

export const FILE_TYPES: Readonly<Record<FileKind, { readonly limit: number; readonly type: string }>> = {
  pdf: { limit: 3 * 1024 * 1024, type: 'application/pdf' },
  xml: { limit: 1024 * 1024, type: 'application/xml' },
};

/** Returns whether the file is what it is attached as: a PDF, or the XML of a CFDI. */
export function isFileOf(kind: FileKind, bytes: Buffer): boolean {
  if (kind === 'pdf') return bytes.subarray(0, 5).toString('latin1') === '%PDF-';
  return isUtf8(bytes) && isCfdi(bytes.toString('utf8').replace(/^\uFEFF/, ''));
}

/** Text that stands for no element, outside a tag. */
const PASSIVE = /^<\?xml\s[^?<>]*\?>|<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>/g;
const NAME = String.raw`[\p{L}_][\p{L}\p{N}_.:-]*`;
/** A tag, or a `<` that is no tag, such as that of `<!DOCTYPE` and of a processing instruction. */
const TAG = new RegExp(
  String.raw`<(?<end>\/?)(?<name>${NAME})(?:\s+${NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(?<empty>\/?)>|<`,
  'gu',
);
const ROOT = /^\s*<(?:[\w-]+:)?Comprobante[\s/>]/;
const ACTIVE = /(?:^|:)(?:script|html|svg|object)$/i;

/** The tags are balanced below one root `Comprobante`, without document type, processing instruction and active content. */
function isCfdi(source: string): boolean {
  // Otherwise each opening would be searched for its end up to the end of the file.
  if (!isClosed(source, '<!--', '-->') || !isClosed(source, '<![CDATA[', ']]>')) return false;
  const text = source.replace(PASSIVE, '').trimEnd();
  if (!ROOT.test(text)) return false;
  const open: string[] = [];
  for (const { index, 0: tag, groups: { end, name, empty } = {} } of text.matchAll(TAG)) {
    if (name === undefined || ACTIVE.test(name)) return false;
    if (end === '/' && open.pop() !== name) return false;
    if (end !== '/' && empty !== '/') open.push(name);
    // Nothing follows the end of the root.
    if (open.length === 0) return index + tag.length === text.length;
  }
  return false;
}

/** Returns whether an end follows the last opening. */
function isClosed(text: string, opening: string, end: string): boolean {
  return text.lastIndexOf(opening) <= text.lastIndexOf(end);
}
