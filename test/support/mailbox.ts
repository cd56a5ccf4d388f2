import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processOutbox } from '@tianguis/payments/testing';
import type { TestShop } from './test-shop.js';

/** A received mail, decoded. */
interface ReceivedMail {
  /** The names of all headers. */
  readonly headers: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly replyTo: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Returns the paths of the mails in a folder, in the order of their names, without those that are still being written. */
export function mailFiles(folder: string): readonly string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .map((name) => join(folder, name));
}

/** Processes all due outbox jobs and returns all mails that the shop has sent. */
export async function receiveMails(shop: TestShop): Promise<readonly ReceivedMail[]> {
  while ((await processOutbox(shop.checkout)) > 0);
  const files = mailFiles(join(shop.directory, 'mail'));
  return Promise.all(files.map(async (file) => readMail(await readFile(file, 'utf8'))));
}

/** Decodes the text of a file of {@link mailFiles}. */
export function readMail(source: string): ReceivedMail {
  const [head = ''] = source.split('\r\n\r\n', 1);
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1] ?? '';
  const parts = source.split(`--${boundary}`).slice(1);
  return {
    headers: head.match(/^[\w-]+(?=:)/gm) ?? [],
    from: decodeWords(headerOf(head, 'From')),
    to: headerOf(head, 'To'),
    replyTo: headerOf(head, 'Reply-To'),
    subject: decodeWords(headerOf(head, 'Subject')),
    text: contentOf(parts.find((part) => part.includes('text/plain'))),
    html: contentOf(parts.find((part) => part.includes('text/html'))),
  };
}

function headerOf(head: string, name: string): string {
  const line = new RegExp(`^${name}: (.*(?:\\r\\n[ \\t].*)*)`, 'm').exec(head)?.[1] ?? '';
  return line.replace(/\r\n[ \t]/g, ' ');
}

function decodeWords(text: string): string {
  return text
    .replace(/\?= +=\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?(.*?)\?=/gi, (_word, kind: string, coded: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(coded, 'base64').toString('utf8')
        : fromQuoted(coded.replaceAll('_', ' ')),
    );
}

function contentOf(part = ''): string {
  const [head = '', ...body] = part.split('\r\n\r\n');
  const content = body.join('\r\n\r\n');
  if (/base64/i.test(head)) return Buffer.from(content, 'base64').toString('utf8');
  return /quoted-printable/i.test(head) ? fromQuoted(content) : content;
}

function fromQuoted(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_code, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
