/** `npm run setup` removes parts of a small shop with the built project's setup. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import dotenv from 'dotenv';
import { projectRoot as root } from '../../../src/project-root.js';
import { FLOW_IDS } from '../../../src/shop/rules/flows.js';
import { copyBuild, runBuilt } from '../../../test/support/built-program.js';
import { run } from '../../../test/support/project-copy.js';
import { type PartList, selectParts } from '../parts.js';
import {
  accept,
  answerQuestions,
  DOWN,
  ENTER,
  FLOW_QUESTIONS,
  inTerminal,
  LOCALE_QUESTIONS,
  SHOP_QUESTIONS,
  SPACE,
  sampleBrandFile,
} from './support.js';

const BRAND = 'src/locales/brand.ts';
const TOOL = 'tools/features';
const COPIED = [
  '.env.example',
  'biome.json',
  'public/shop.css',
  BRAND,
  'tools/dev/git.js',
  'tools/dev/features-record.js',
  'tools/dev/own-paths.js',
];
const room = (name: string, more = '') => `/** The ${name}. */\nexport const ${name}: Feature = {\n${more}};\n`;
const FILES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    version: '1.0.0',
    type: 'module',
    scripts: { setup: 'node dist/tools/setup/main.js' },
  }),
  '.gitignore': 'node_modules\ndist\n.env\n',
  'src/features/products/feature.ts': room('products'),
  'src/features/gifts/feature.ts': room('gifts'),
  'src/features/cards/feature.ts': room('cards', "  needs: ['gifts'],\n"),
  'tools/bench/main.ts': 'export {};\n',
  'tools/setup/main.ts': 'export {};\n',
  'tools/dev/feature-lists.js': 'export const featureLists = () => new Map();\n',
  'test/template/docs.test.ts': 'export {};\n',
};
const sample = sampleBrandFile();
const SMALL = ['--yes', '--preset', 'small', '--flows', 'hosted', '--locales', 'es-MX'];
// The tool may be deleted.
const withTool = existsSync(join(root, TOOL)) ? test : test.skip;
let copy: ReturnType<typeof copyBuild>;

const inCopy = (path: string) => join(copy.home, path);
const has = (path: string) => existsSync(inCopy(path));
const setup = (...args: readonly string[]) => runBuilt('tools/setup/main.js', args, { home: copy.home });
const git = (...args: readonly string[]) => run(copy.home, 'git', ...args).output;

beforeEach(() => {
  copy = copyBuild({ [BRAND]: () => sample });
  for (const link of ['public', 'package.json', 'views', 'examples']) rmSync(inCopy(link));
  // The packages are no part of this shop.
  const packages = existsSync(inCopy('packages')) ? readdirSync(inCopy('packages')) : [];
  for (const name of packages) {
    rmSync(inCopy(`node_modules/@tianguis/${name}`));
    renameSync(inCopy(`packages/${name}`), inCopy(`node_modules/@tianguis/${name}`));
  }
  const scripts = existsSync(join(root, TOOL))
    ? readdirSync(join(root, TOOL)).filter((name) => name.endsWith('.js'))
    : [];
  for (const path of [...COPIED, ...scripts.map((name) => `${TOOL}/${name}`), ...Object.keys(FILES)]) {
    mkdirSync(dirname(inCopy(path)), { recursive: true });
    const text = FILES[path];
    if (path === BRAND) writeFileSync(inCopy(path), sample);
    else if (text === undefined) copyFileSync(join(root, path), inCopy(path));
    else writeFileSync(inCopy(path), text);
  }
  git('init', '--quiet');
  for (const [key, value] of [
    ['name', 'A'],
    ['email', 'a@shop.example'],
  ] as const)
    git('config', `user.${key}`, value);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'start');
});

afterEach(() => {
  copy[Symbol.dispose]();
});

withTool(
  'the preset small removes its parts, the tests of the template and the setup itself in one commit, and then writes settings and brand',
  async () => {
    const { code, stdout } = await setup(...SMALL, '--without', 'setup', '--name', 'Casa Jacaranda');

    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('Removed in one commit: bench, cards, gifts, template, setup.'),
    ]);
    expect(git('log', '-1', '--format=%s')).toBe('chore(features): remove bench, cards, gifts, template, setup\n');
    const gone = ['src/features/cards', 'src/features/gifts', 'tools/bench', 'tools/setup', 'test/template'];
    expect(gone.filter(has)).toEqual([]);
    expect(['src/features/products', 'tools/features'].filter((path) => !has(path))).toEqual([]);
    expect(dotenv.parse(readFileSync(inCopy('.env')))).toMatchObject({ PAYMENT_FLOWS: 'hosted', LOCALES: 'es-MX' });
    expect(readFileSync(inCopy(BRAND), 'utf8')).toContain("name: 'Casa Jacaranda'");
  },
);

withTool(
  'a dry run prints what would change as JSON, without the values of settings, and changes nothing',
  async () => {
    const { code, stdout } = await setup(...SMALL, '--without', 'setup', '--dry-run', '--json');

    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        isDryRun: true,
        removed: ['bench', 'cards', 'gifts', 'template', 'setup'],
        unusedPackages: [],
        settings: ['PAYMENT_FLOWS', 'LOCALES', 'DEFAULT_LOCALE'],
        written: ['.env'],
        deleted: [],
        samples: ['--legal-name', '--address', '--phone', '--email'],
      },
    ]);
    expect([has('.env'), has('test/template'), git('status', '--porcelain')]).toEqual([false, true, '']);
    expect(git('log', '--format=%s')).toBe('start\n');
  },
);

const flows: readonly string[] = FLOW_IDS;
const inBoth = existsSync(join(root, TOOL)) ? inTerminal : test.skip;
const DESELECTED: readonly (readonly [title: string, flows: readonly string[], removed: string])[] = [
  ['the proposed answers remove the tests of the template, as --yes does', [], 'bench, cards, gifts, template'],
  ...(flows.length > 1
    ? ([['a deselected payment flow is removed', flows.slice(1), 'bench, cards, gifts, template, card']] as const)
    : []),
];

inBoth.each(DESELECTED)('of the preset small in a terminal, %s', async (_what, deselected, removed) => {
  for (const flow of ['card', 'hosted']) {
    mkdirSync(inCopy(`src/flows/${flow}`), { recursive: true });
    writeFileSync(inCopy(`src/flows/${flow}/flow.ts`), 'export {};\n');
  }
  git('add', '--all');
  git('commit', '--quiet', '--message', 'flows');
  const ends = existsSync(inCopy('sample/products.csv')) ? ['Delete the sample products'] : [];

  const { code, unanswered } = await answerQuestions(copy.home, [
    ['Features', `${DOWN}${ENTER}`],
    ...FLOW_QUESTIONS.map((question) => [question, deselected.length > 0 ? `${DOWN}${SPACE}${ENTER}` : ENTER] as const),
    ...accept([...LOCALE_QUESTIONS, ...SHOP_QUESTIONS, 'Payments through', ...ends]),
  ]);

  expect([code, unanswered]).toEqual([0, []]);
  expect(git('log', '-1', '--format=%s')).toBe(`chore(features): remove ${removed}\n`);
  expect(dotenv.parse(readFileSync(inCopy('.env')))['PAYMENT_FLOWS']).toBe(
    flows.filter((flow) => !deselected.includes(flow)).join(),
  );
});

withTool('without a preset everything is kept', async () => {
  const { stdout } = await setup('--yes', '--dry-run', '--json');

  expect(JSON.parse(stdout)).toMatchObject({ removed: [] });
});

withTool('a tree with changes is refused, and no file is written', async () => {
  writeFileSync(inCopy('note.txt'), 'mine');

  const { code, stderr } = await setup(...SMALL);

  expect([code, stderr]).toEqual([1, expect.stringContaining('note.txt')]);
  expect([has('.env'), has('src/features/gifts'), git('status', '--porcelain')]).toEqual([
    false,
    true,
    '?? note.txt\n',
  ]);
});

withTool.each([
  [['--preset', 'tiny'], '--preset must be one of: full, small'],
  [['--without', 'toys'], 'Unknown: toys'],
  [['--without', 'gifts'], 'cards needs gifts'],
  [['--preset', 'small', '--flows', 'cash'], 'PAYMENT_FLOWS'],
])('the options %j are refused before a part is removed', async (options, reason) => {
  const { code, stderr } = await setup('--yes', ...options);

  expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
  expect([has('.env'), git('status', '--porcelain'), git('log', '--format=%s')]).toEqual([false, '', 'start\n']);
});

test('the parts of flows and locales that are not kept are removed', () => {
  const part = (kind: string, name: string, state = 'kept') => ({ kind, name, state, purpose: '' });
  const parts = [part('locale', 'en'), part('locale', 'pt-br'), part('locale', 'fr', 'removed'), part('room', 'de')];
  const list: PartList = { parts, presets: { full: [] } };

  expect(selectParts(list, { locales: 'es-MX' })).toEqual(['en', 'pt-br']);
  expect(selectParts(list, { locales: 'es-MX, pt-BR' })).toEqual(['en']);
  expect(selectParts(list, {})).toEqual([]);
  const flows: PartList = { ...list, parts: [part('flow', 'card'), part('flow', 'hosted'), ...parts] };
  expect(selectParts(flows, { flows: 'hosted' })).toEqual(['card']);
  expect(selectParts(flows, { flows: 'hosted,card', locales: 'es-MX' })).toEqual(['en', 'pt-br']);
  expect(() => selectParts(flows, { flows: 'hosted,card', without: 'card' })).toThrow('--without names what --flows');
});
