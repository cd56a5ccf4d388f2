/** `npm run setup` of the sample shop, also in a terminal, which the program `script` gives it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from '@jest/globals';
import { brand } from '../../../src/locales/brand.js';
import { projectRoot } from '../../../src/project-root.js';
import { FLOW_IDS } from '../../../src/shop/rules/flows.js';
import { LOCALES } from '../../../src/shop/rules/locales.js';
import { withBrand } from '../files.js';

export const inTerminal = spawnSync('script', ['--version']).error === undefined ? test : test.skip;

export const ENTER = '\r';
export const SPACE = ' ';
export const DOWN = '\x1b[B';
/** Deletes the proposed text. */
export const CLEAR = '\x15';

export const SHOP_QUESTIONS = [
  ...['Shop name', 'Main color', 'Legal name', 'Address of the merchant', 'Phone for', 'WhatsApp', 'E-mail address'],
  'Two letters',
];
export const FLOW_QUESTIONS = FLOW_IDS.length > 1 ? ['Payment flows'] : [];
export const LOCALE_QUESTIONS = LOCALES.length > 1 ? ['Languages', 'Default language'] : [];

/** Returns the brand file before the first setup, also in a shop that ran it. */
export function sampleBrandFile(): string {
  return withBrand(readFileSync(join(projectRoot, 'src/locales/brand.ts'), 'utf8'), {
    ...brand,
    name: 'Tianguis',
    orderPrefix: 'TG',
    merchant: {
      legalName: 'Empresa de Ejemplo',
      address: 'Calle de Ejemplo 1',
      phone: '55 0000 0000',
      email: 'contacto@example.com',
    },
  });
}

const terminals = new Set<ChildProcess>();
afterEach(() => {
  for (const terminal of terminals) terminal.kill();
  terminals.clear();
});

type Reply = readonly [question: string, keys: string];

/** Replies that accept what the questions propose. */
export const accept = (questions: readonly string[]): readonly Reply[] =>
  questions.map((question) => [question, ENTER]);

/** Runs the setup of a built copy. The keys of each reply are sent when its question is shown. */
export async function answerQuestions(home: string, replies: readonly Reply[]) {
  const command = `stty columns 300 rows 50; exec ${process.execPath} ${join(home, 'dist/tools/setup/main.js')}`;
  const env = { PATH: process.env['PATH'], TERM: 'xterm', SHELL: '/bin/sh' };
  const options = ['--quiet', '--return', '--flush', '--command', command, '/dev/null'];
  const terminal = spawn('script', options, { env });
  terminals.add(terminal);
  const rest = [...replies];
  let output = '';
  let read = 0;
  terminal.stdout.on('data', (part) => {
    output += String(part);
    const [question = '', keys = ''] = rest[0] ?? [];
    const at = output.indexOf(question, read);
    if (rest.length === 0 || at < 0) return;
    read = at + question.length;
    rest.shift();
    terminal.stdin.write(keys);
  });
  const [code] = await once(terminal, 'close');
  return { code: code as number, output, unanswered: rest.map(([question]) => question) };
}
