/** The data flows of docs/internals/security-evidence.md, compared with the connections that the code opens. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const [, section = ''] = /^## Data flows$([\s\S]*?)^## /m.exec(read('docs/internals/security-evidence.md')) ?? [];

/** A client of another host, as a file imports it. `fetch` counts in the browser and in the shop. */
const CLIENT =
  /^import \{[^}]*\brequest\b[^}]*\} from 'node:https?'|(?:from |import\()'(?:node:(?:tls|dgram|http2)|axios|nodemailer|pg|libsql)'|(?<![.\w])fetch\(/m;
const TYPES = /^import type .*$/gm;

test('the table of data flows has a row for each line of the picture', () => {
  const drawn = [...section.matchAll(/-->\|(\d+)\|/g)].map(([, line]) => Number(line));
  const listed = [...section.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, lines = '']) => lines.split(',').map(Number));

  expect(listed).toEqual([...new Set(drawn)]);
});

test('the table of data flows names each file of the shop that opens a connection to another host', () => {
  const folders = ['src', 'packages/payments/src'].filter((folder) => existsSync(`${root}${folder}`));
  const files = folders.flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const clients = files.filter(
    (path) => path.endsWith('.ts') && !path.includes('/test/') && CLIENT.test(read(path).replace(TYPES, '')),
  );

  expect(clients.length).toBeGreaterThan(3);
  expect(clients.filter((path) => !section.includes(`\`${path}\``))).toEqual([]);
});
