/** `npm run check` refuses a forbidden import: one of each rule is tried. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { linkPackages } from '../support/link-packages.js';
import { copyProject, run } from '../support/project-copy.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { forbidden: rules } = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as {
  forbidden: readonly { readonly name: string }[];
};
/** Forbidden imports by the folder whose file has them. */
const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  'packages/payments/src/rules': ['zod'],
  'src/shop/rules': ['zod'],
  'src/config': ['../tables/orders.js'],
  'packages/payments/src': ['../../../src/tables/orders.js', './forbidden-cycle.js'],
  'src/tables': ['../web/paths.js'],
  'packages/payments/src/database': ['../../../../src/tables/orders.js'],
  'src/catalog': ['../web/paths.js'],
  'src/shop': ['../web/render.js', 'express'],
  'src/locales': ['../web/paths.js'],
  'src/content': ['../web/paths.js'],
  'src/mail': ['../web/render.js', '../shop/rules/shipping.js'],
  'src/settings': ['../web/paths.js'],
  'src/web': [
    ...['../../tools/drill/main.js', '../config/config.js', '../context.js'],
    ...['../../packages/payments/src/gateway/gateway.js', '../../packages/payments/src/back-office.js'],
    ...['../flows/one/part.js'],
    ...[
      'marked',
      'otpauth',
      'saxes',
      'prom-client',
      'csv-parse',
      'axios',
      'cockatiel',
      'kysely',
      'sharp',
      '@fastify/busboy',
    ],
  ],
  'src/admin': ['../features/one/part.js', '../web/order/order-view.js', 'ejs'],
  'src/features/two': ['../one/part.js'],
  'src/flows/two': ['../one/part.js'],
  'examples/minimal': ['../../src/web/paths.js'],
  'packages/gateway-tools/src': ['../../payments/src/rules/money.js'],
  'packages/gateway-tools/src/contract': ['../simulator/faults.js'],
  'tools/drill': ['../../src/web/paths.js', '../../packages/gateway-tools/src/simulator/faults.js'],
  'tools/bench': ['../../src/web/paths.js'],
  'tools/doctor': ['../../src/web/paths.js', '@clack/prompts'],
  'tools/setup': ['../../src/web/paths.js'],
  'tools/features': ['../../src/web/paths.js'],
};

const copy = copyProject();
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('one import that each rule forbids is refused with the name of the rule', () => {
  linkPackages(copy);
  for (const parent of ['src/features', 'src/flows']) {
    for (const part of ['one', 'two']) mkdirSync(join(copy, parent, part));
    writeFileSync(join(copy, parent, 'one/part.ts'), 'export const part = 1;\n');
  }
  for (const [folder, imports] of Object.entries(IMPORTS)) {
    const lines = imports.map((path, index) => `export * as part${index} from '${path}';\n`);
    writeFileSync(join(copy, folder, 'forbidden.ts'), lines.join(''));
  }
  writeFileSync(join(copy, 'packages/payments/src/forbidden-cycle.ts'), "export * as part from './forbidden.js';\n");

  const { code, output } = run(
    copy,
    'npx',
    'depcruise',
    '--config',
    '.dependency-cruiser.cjs',
    'src',
    'tools',
    'examples',
    'packages',
  );

  const named = [...output.matchAll(/error (\S+): \S*forbidden/g)].map(([, name]) => name);
  expect(code).not.toBe(0);
  expect(new Set(named)).toEqual(new Set(rules.map(({ name }) => name)));
});
