import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../../test/support/project-copy.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const TOOL = [
  ...readdirSync(join(root, 'tools/features')).map((name) => `tools/features/${name}`),
  'tools/dev/git.js',
  'tools/dev/features-record.js',
  'tools/dev/own-paths.js',
].filter((path) => path.endsWith('.js'));

const feature = (name: string, purpose: string, more = '') =>
  `import type { Feature } from '../feature.js';\n\n/** ${purpose} */\nexport const ${name}: Feature = {\n  name: '${name}',\n${more}};\n`;

/** Generates the list of rooms. Fails in a tree with the file `bad-list`. */
const FEATURE_LISTS = `import { existsSync, readdirSync } from 'node:fs';
export function featureLists(root) {
  if (existsSync(root + '/bad-list')) throw new Error('the list is bad');
  const rooms = readdirSync(root + '/src/features').filter((name) => !name.includes('.')).sort();
  return new Map([['src/features/index.ts', 'export const ROOMS = [' + rooms.join(', ') + '];\\n']]);
}
`;

/** Builds the script that writes `.env.example`. Fails in a tree with the file `bad-code`. */
const BUILD = `import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
if (existsSync('bad-code')) { console.log('src/app.ts: error\\n'.repeat(30)); process.exit(2); }
mkdirSync('dist/tools/dev', { recursive: true });
writeFileSync('dist/tools/dev/env-example.js', "import { readdirSync, writeFileSync } from 'node:fs';" +
  "writeFileSync('.env.example', readdirSync('src/features').filter((name) => !name.includes('.')).map((name) => name + '=on\\\\n').join(''));");
`;

const PACKAGE = {
  name: 'shop',
  version: '1.0.0',
  type: 'module',
  scripts: { start: 'node start.js', bench: 'node dist/tools/bench/main.js', test: 'jest' },
  dependencies: { express: '5', qrcode: '1' },
  devDependencies: { '@types/qrcode': '1' },
};

/** A small template with the rooms a, b that needs a, and c. */
const TEMPLATE: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify(PACKAGE, null, 2)}\n`,
  '.gitignore': 'node_modules/\ndist/\n',
  '.env.example': 'a=on\nb=on\nc=on\n',
  'src/app.ts': "import express from 'express';\n",
  'src/features/index.ts': 'export const ROOMS = [a, b, c];\n',
  'src/features/a/feature.ts': feature('a', 'The links of orders. Second sentence.'),
  'src/features/b/feature.ts': feature('b', 'The reminders.', "  needs: ['a'],\n"),
  'src/features/c/feature.ts': `import qrcode from 'qrcode';\n${feature('c', 'The codes.')}`,
  'src/features/c/views/code.ejs': '<p>code</p>\n',
  'src/features/c/test/code.test.ts': "import express from 'express';\n",
  // As in version 1.
  'public/c/code.css': 'p {}\n',
  'tools/bench/main.ts': 'export {};\n',
  'tools/dev/feature-lists.js': FEATURE_LISTS,
  'tools/dev/build.js': BUILD,
};

/** Creates a git repository with the template on the branches `main`, which is checked out, and `template`. */
export function createShop() {
  const folder = mkdtempSync(join(tmpdir(), 'tianguis-features-'));
  const outside = mkdtempSync(join(tmpdir(), 'tianguis-outside-'));
  const git = (...args: readonly string[]) => run(folder, 'git', ...args);
  const write = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode });
  };
  const shop = {
    git,
    write,
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
    has: (path: string) => existsSync(join(folder, path)),
    path: (path: string) => join(folder, path),
    /** Moves a path out of the repository, and leaves a link to it. Returns where it is now. */
    link: (path: string) => {
      const moved = join(outside, path.replaceAll('/', '-'));
      renameSync(join(folder, path), moved);
      symlinkSync(moved, join(folder, path));
      return moved;
    },
    /** Runs `npm run features` with the arguments. */
    features: (...args: readonly string[]) => run(folder, process.execPath, 'tools/features/main.js', ...args),
    /** The same with a standard input that stays open and sends nothing. After 60 s it is killed. */
    featuresWithOpenInput: (...args: readonly string[]) => {
      const script =
        '[ -p .git/input ] || mkfifo .git/input; exec timeout -s KILL 60 "$0" tools/features/main.js "$@" <>.git/input';
      return run(folder, 'bash', '-c', script, process.execPath, ...args);
    },
    /** Writes the files and commits them on a branch. Afterwards `main` is checked out. */
    commit(branch: string, files: Readonly<Record<string, string>>) {
      git('checkout', '--quiet', branch);
      for (const [path, text] of Object.entries(files)) write(path, text);
      git('add', '--all');
      git('commit', '--quiet', '--message', 'change');
      git('checkout', '--quiet', 'main');
    },
    /** Returns the id of a commit. */
    id: (name: string) => git('rev-parse', name).output.trim(),
    /** Returns the content of package.json. */
    package: () => JSON.parse(shop.read('package.json')) as { readonly tianguis?: unknown; readonly scripts: object },
    /** Returns the record of package.json. */
    record: (): unknown => shop.package().tianguis,
    [Symbol.dispose]: () => {
      for (const each of [folder, outside]) rmSync(each, { recursive: true, force: true });
    },
  };
  git('init', '--quiet', '--initial-branch', 'main');
  for (const [key, value] of [
    ['user.name', 'A'],
    ['user.email', 'a@shop.example'],
    ['commit.gpgSign', 'false'],
  ] as const)
    git('config', key, value);
  for (const name of Object.keys({ ...PACKAGE.dependencies, ...PACKAGE.devDependencies }))
    mkdirSync(join(folder, 'node_modules', name), { recursive: true });
  for (const path of TOOL) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(root, path), join(folder, path));
  }
  shop.commit('main', TEMPLATE);
  git('branch', 'template');
  return shop;
}
