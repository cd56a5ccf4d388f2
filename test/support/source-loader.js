// Hooks of Node that load TypeScript files. See `native-runtime.js`.
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

const ROOT = new URL('../../', import.meta.url).href;
const SOURCES = `${ROOT}src/`;
/** An import of one of the packages, with its folder of `packages/` and its entry. */
const PACKAGE = /^@tianguis\/([^/]+)(?:\/(.+))?$/;
const GATEWAY = `${ROOT}packages/payments/src/gateway/`;
/** The shop of the tests: each file replaces the one of `src/` with the same path, which a merchant changes. */
const FIXTURE = `${ROOT}test/fixture/`;
/** The path of a file of the tests, below the root. Those of the fixture are loaded once, as those of `src/`. */
const TEST_PATH = /^(?:(?:tools|packages)\/[^/]+\/)?test\/(?!fixture\/)/;
const OPTIONS = { swcrc: false, sourceMaps: 'inline', jsc: { target: 'es2023', parser: { syntax: 'typescript' } } };

/** The module that tests import as `@jest/globals`. Each test file has functions of its own. */
const JEST = 'jest-globals:';
const JEST_NAMES = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'jest', 'test'];

/**
 * Resolves the import of a `.js` file to the TypeScript file from which it is built. The query of a test file passes to the
 * files that it imports: all of it to those of the tests, `gateway` also to the others. With `gateway`, the files of that
 * folder replace those of `packages/payments/src/gateway/` with the same name. The files of `test/fixture/` always replace theirs.
 */
export function resolve(specifier, context, next) {
  const { parentURL } = context;
  if (parentURL === undefined || parentURL.includes('/node_modules/')) return next(specifier, context);
  const { search, searchParams } = new URL(parentURL);
  if (specifier === '@jest/globals') return { url: `${JEST}${search}`, shortCircuit: true };
  let url = sourceOf(specifier, parentURL);
  if (url === undefined || !existsSync(url)) return next(specifier, context);
  const gateway = searchParams.get('gateway');
  url = replacementOf(url, gateway) ?? url;
  if (TEST_PATH.test(url.href.slice(ROOT.length))) url.search = search;
  else if (gateway !== null) url.searchParams.set('gateway', gateway);
  return { url: url.href, shortCircuit: true };
}

/** The file of an entry of a package, if its sources are here, or of a relative import. */
function sourceOf(specifier, parentURL) {
  if (specifier.startsWith('.')) return new URL(specifier.replace(/\.js$/, '.ts'), parentURL);
  const [, folder, entry = 'index'] = PACKAGE.exec(specifier) ?? [];
  if (folder === undefined) return undefined;
  const sources = new URL(`packages/${folder}/src/`, ROOT);
  return [`${entry}.ts`, `${entry}/index.ts`].map((file) => new URL(file, sources)).find(existsSync);
}

function replacementOf({ href }, gateway) {
  const files = [
    ...(gateway !== null && href.startsWith(GATEWAY) ? [new URL(basename(href), gateway)] : []),
    ...(href.startsWith(SOURCES) ? [new URL(href.slice(SOURCES.length), FIXTURE)] : []),
  ];
  return files.find(existsSync);
}

export async function load(url, context, next) {
  if (url.startsWith(JEST))
    return { format: 'module', shortCircuit: true, source: `export const { ${JEST_NAMES.join(', ')} } = jestGlobals;` };
  if (!new URL(url).pathname.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(readFileSync(filename, 'utf8'), { ...OPTIONS, filename });
  return { format: 'module', shortCircuit: true, source: code };
}
