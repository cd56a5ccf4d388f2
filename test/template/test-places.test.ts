/** A test stands in the highest part that it needs, so that it can stay when the parts below are removed. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import type { Feature } from '../../src/features/feature.js';
import { FEATURES } from '../../src/features/index.js';
import { FLOWS } from '../../src/flows/index.js';
import { methodAndPath } from '../../src/web/route.js';
import { openFileShop } from '../support/shared-shop.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { web } = (await openFileShop()).context;
const rooms = FEATURES.map(({ name }) => name);
/** The tests of the core, and those of a room or a tool. */
const TEST = /^(?:test|src\/features\/[\w-]+\/test|tools\/[\w-]+\/test)\//;
const FILE = /\.(?:test\.)?(?:ts|js|cjs)$/;

const filesBelow = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => FILE.test(path));
const files = ['test', 'src', 'tools'].flatMap(filesBelow).filter((path) => TEST.test(path));

/** Returns the room in whose folder a file of the tests is, or `undefined`. */
const roomOf = (path: string) => rooms.find((room) => path.startsWith(`src/features/${room}/test/`));

/** Returns the paths that a file imports, relative to the project. */
function importsOf(path: string): readonly string[] {
  const text = readFileSync(join(root, path), 'utf8');
  const found = text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g);
  return [...found].map(([, target = '']) => relative(root, join(root, dirname(path), target)));
}

/** Returns the rooms from which a file imports. */
function importedRooms(path: string): readonly string[] {
  const imported = importsOf(path);
  return rooms.filter((room) => imported.some((each) => new RegExp(`^src/features/${room}/`).test(each)));
}

/** Returns the paths of the routes of a room. */
function pathsOf({ probes, routes, adminRoutes }: Feature): ReadonlySet<string> {
  const all = [...(probes?.(web) ?? []), ...(routes?.(web) ?? []), ...(adminRoutes?.(web) ?? [])];
  return new Set(all.map((route) => methodAndPath(route)[1]));
}

/** Matches a string in the source of a test that is the path. Its parameters may be any text or placeholder. */
function naming(path: string): RegExp {
  const parts = path.split(/:\w+/).map((part) => part.replaceAll(/[.]/g, String.raw`\.`));
  return new RegExp(String.raw`['"\`](?:\*\*)?${parts.join(String.raw`(?:\$\{[^}]*\}|[\w-])+`)}(?=['"\`?#])`);
}

/** The tests of the template name the paths of the documents, and those of the example the paths of its own. */
const NAMES_ANY = /^(?:test\/(?:template|example)|tools\/features)\//;
/** Imported by tests of what both flows share: it has a stand-in for a removed flow. */
const BOTH_FLOWS = 'test/support/flows.ts';

test('a file outside of the tests of a payment flow imports and reads nothing of the flow', () => {
  const wrong = FLOWS.flatMap(({ id, views, scripts }) => {
    const own = [`src/flows/${id}/`, ...Object.values(views).map((view) => `views${view}`), ...scripts];
    return files
      .filter((path) => !path.startsWith(`test/flows/${id}/`) && path !== BOTH_FLOWS && !NAMES_ANY.test(path))
      .filter((path) => own.some((each) => readFileSync(join(root, path), 'utf8').includes(each)))
      .map((path) => `${path} names ${id}`);
  });

  expect(wrong).toEqual([]);
});

test('a file outside of the tests of a room imports nothing of the room, and a room only what it needs', () => {
  const wrong = files.flatMap((path) => {
    const own = roomOf(path);
    const needs = FEATURES.find(({ name }) => name === own)?.needs ?? [];
    return importedRooms(path)
      .filter((room) => room !== own && !needs.includes(room))
      .map((room) => `${path} imports from ${room}`);
  });

  expect(wrong).toEqual([]);
});

/** The catalog stores these addresses also without the room that serves them. */
const STORED = new Set(['/pictures/:hash']);

test('a file outside of the tests of a room names no path of its routes', () => {
  const paths = FEATURES.flatMap((room) =>
    [...pathsOf(room)]
      .filter((path) => !STORED.has(path))
      .map((path) => ({ room: room.name, path, text: naming(path) })),
  );
  expect(paths.length > 0 || rooms.length === 0).toBe(true);
  const wrong = files
    .filter((file) => !roomOf(file) && !NAMES_ANY.test(file))
    .flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8');
      return paths.filter(({ text }) => text.test(source)).map(({ room, path }) => `${file} names ${path} of ${room}`);
    });

  expect(wrong).toEqual([]);
});

test('a test of the shop imports no file of the package, and no test that drives payments and shop together', () => {
  const together = /^test\/(?:payments-in-shop|template)\//;
  // They add moves of their room to the model test, and nothing else imports them.
  const moves = /^src\/features\/[\w-]+\/test\/commands\.ts$/;
  const wrong = files
    .filter((path) => !together.test(path))
    .flatMap((path) => importsOf(path).map((target) => ({ path, target })))
    .filter(
      ({ path, target }) =>
        target.startsWith('packages/payments/') || (target.startsWith('test/payments-in-shop/') && !moves.test(path)),
    );

  expect(wrong).toEqual([]);
});
