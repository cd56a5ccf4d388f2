/** The documents name existing files, commands and links, and their diffs apply. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { PROMISES } from '../../packages/payments/test/gateway/promises/promises.js';
import { isInRemovedPart } from './support/removed-parts.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const markdown = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const DOCUMENTS = ['.', 'docs', 'docs/decisions', 'docs/internals', 'packages/payments'].flatMap(markdown);
const { scripts, version } = JSON.parse(read('package.json')) as {
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
};
/** Commands of npm that need no script. */
const BUILT_IN = ['audit', 'ci', 'install', 'prune', 'sbom', 'start', 'test', 'uninstall'];

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;
const PATH =
  /^(?:\.\/)?(?:src|test|tools|docs|public|views|packages)\/[\w./-]*$|^[A-Z][\w-]*(?:\.md)?$|^\.[a-z][\w.-]+$|^[\w-]+\.(?:json|yaml|cjs)$/;

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

function blocksIn(path: string, language: string): readonly string[] {
  return [...read(path).matchAll(FENCE)].flatMap(([, tag, text = '']) => (tag === language ? [text] : []));
}

/** Returns the quoted paths of the project, without files that the reader creates. */
function pathsIn(path: string): readonly string[] {
  const prose = read(path).replace(FENCE, '');
  const quoted = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
  return quoted.filter((text) => PATH.test(text) && /[./]/.test(text) && !/^\.env$|^\.\w+$/.test(text));
}

function linksIn(path: string): readonly string[] {
  const links = [
    ...read(path)
      .replace(FENCE, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, to = '']) => to);
  return links.filter((to) => !/^(?:https?:|mailto:)/.test(to));
}

function anchorsOf(path: string): readonly string[] {
  return [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isThere(from: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? from : join(dirname(from), file);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || anchorsOf(target).includes(anchor);
}

describe.each(DOCUMENTS)('%s', (path) => {
  test('the document names existing files only', () => {
    expect(pathsIn(path).filter((name) => !existsSync(join(root, name)) && !isInRemovedPart(name))).toEqual([]);
  });

  test('the document names existing commands only', () => {
    const named = [...read(path).matchAll(/npm run (?:-s |--silent )?([\w-]+)/g)].map(([, name = '']) => name);
    const short = [...read(path).matchAll(/`npm ([a-z]+)/g)].map(([, name = '']) => name);

    expect(named.filter((name) => !(name in scripts) && !isInRemovedPart(`tools/${name}`))).toEqual([]);
    expect(short.filter((name) => name !== 'run' && !BUILT_IN.includes(name))).toEqual([]);
  });

  test('the document links to existing targets only', () => {
    expect(linksIn(path).filter((link) => !isThere(path, link))).toEqual([]);
  });
});

describe('the diffs of docs/adapting.md and docs/examples', () => {
  const files = readdirSync(join(root, 'docs/examples')).filter((name) => name.endsWith('.diff'));
  const diffs = [...blocksIn('docs/adapting.md', 'diff'), ...files.map((name) => read(`docs/examples/${name}`))].map(
    (text) => [/\+\+\+ b\/(\S+)/.exec(text)?.[1], text],
  );

  test.each(diffs)('the diff for %s applies to the project', (_, text = '') => {
    // Git checks the files of the folder, also when it is part of another repository.
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(root.replace(/\/$/, '')) };
    const changed = [...text.matchAll(/^(?:---|\+\+\+) [ab]\/(.+)$/gm)].map(([, path = '']) => path);
    const deleted = changed.filter(isInRemovedPart).map((path) => `--exclude=${path}`);
    const { status, stderr } = spawnSync('git', ['apply', '--check', ...deleted, '-'], {
      cwd: root,
      input: text,
      encoding: 'utf8',
      env,
    });

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

test('the documents for adopters have at most 14,000 words', () => {
  const words = markdown('docs').flatMap((path) => read(path).split(/\s+/).filter(Boolean));

  expect(words.length).toBeLessThanOrEqual(14_000);
});

test('README.md, the newest version of CHANGELOG.md and the packages have the version of package.json', () => {
  const versions = ['payments', 'gateway-tools'].map(
    (name) => JSON.parse(read(`packages/${name}/package.json`)).version,
  );
  const [newest] = /^## \d\S+/m.exec(read('CHANGELOG.md')) ?? [];

  expect(read('README.md')).toContain(`\n\nVersion ${version}. `);
  expect(newest).toBe(`## ${version}`);
  expect(versions).toEqual([version, version]);
});

test('README.md links to every document, but those that a README beside them lists', () => {
  const links = linksIn('README.md').map((link) => link.split('#')[0]);
  const others = DOCUMENTS.filter(
    (path) => path !== 'README.md' && !/^(?:docs\/(?:decisions|internals)|packages\/payments)\/[^R]/.test(path),
  );

  expect(others.filter((path) => !links.includes(path))).toEqual([]);
});

test('docs/internals/state-search.md names each file that uses another source of randomness than the context', () => {
  const folders = ['src', 'packages/payments/src'].filter((folder) => existsSync(join(root, folder)));
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const source = /randomBytes|randomUUID|randomInt|Math\.random|getRandomValues/;
  const isProgram = (path: string) => path.endsWith('.ts') && !/\/(?:test|src\/testing)\//.test(path);
  const users = files.filter((path) => isProgram(path) && source.test(read(path)));
  const [, table = ''] = read('docs/internals/state-search.md').split('use another source:');
  const named = [...table.matchAll(/`((?:src|packages)\/[^`]+)`/g)].map(([, path = '']) => path);

  expect(new Set(named.filter((path) => !isInRemovedPart(path)))).toEqual(new Set(users));
});

test('docs/decisions/README.md lists every decision in order', () => {
  const decisions = markdown('docs/decisions').filter((path) => /\/\d/.test(path));
  const listed = linksIn('docs/decisions/README.md').map((link) => `docs/decisions/${link}`);

  expect(listed).toEqual(decisions.sort((one, other) => (one < other ? -1 : 1)));
});

test('docs/adapting.md lists the promises that are tested on each gateway adapter', () => {
  const [, section = ''] = read('docs/adapting.md').split('keeps these promises:\n');
  const [list = ''] = section.split('\n\n');
  const promises = list.split(/^- /m).flatMap((item) => {
    const [call = '', texts = ''] = item.trim().split(': ');
    return texts ? texts.split('; ').map((text) => `${call.replaceAll('`', '')}: ${text}`) : [];
  });

  expect(promises).toEqual(PROMISES.map(({ name }) => name));
});
