/** The choices of `npm run new-shop`, each made in a copy of this very project, which is then looked over and tried. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { build } from '../support/built-copy.js';
import { commitAll, copyProject, run } from '../support/project-copy.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PATIENCE_MS = 400_000;

/** Copied and built once; each test changes a copy of it. */
let template: string;
let copy: string;

beforeAll(() => {
  template = copyProject();
  symlinkSync(join(root, 'node_modules'), join(template, 'node_modules'));
  build(template);
  commitAll(template);
}, PATIENCE_MS);

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'tianguis-new-shop-'));
  cpSync(template, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
});

afterEach(() => {
  rmSync(copy, { recursive: true, force: true });
});

afterAll(() => {
  rmSync(template, { recursive: true, force: true });
});

function newShop(...args: readonly string[]) {
  return run(copy, process.execPath, 'dist/new-shop/main.js', ...args);
}

/** What git would say has changed. */
function changes(): string {
  return run(copy, 'git', 'status', '--porcelain').output;
}

/** Every line of the project that matches: of its tests and documents too, but not of the tool and the simulator. */
function linesWith(pattern: string): readonly string[] {
  const places = ['src', 'test', 'views', 'public', 'README.md', '.env.example', 'docs/adapting.md'];
  const spared = ['simulator', 'contract', 'new-shop'].map((name) => `:!*${name}*`);
  const { output } = run(copy, 'git', 'grep', '--untracked', '-nE', pattern, '--', ...places, ...spared);
  return output.split('\n').filter((line) => line !== '');
}

function expectCompiles(): void {
  const compiled = run(
    copy,
    process.execPath,
    'node_modules/@typescript/native/bin/tsc',
    '-p',
    'tsconfig.json',
  );
  expect(compiled).toEqual({ code: 0, output: '' });
}

/** With LONG_TESTS: everything that `npm run check` looks at is so, and these tests pass. */
function expectGreen(tests: string): void {
  if (process.env['LONG_TESTS'] === undefined) return;
  const check = run(copy, 'npm', 'run', '--silent', 'check');
  expect(check.output).not.toMatch(/Unused|error|✖/);
  expect(check.code).toBe(0);
  const jest = [
    'scripts/test.js',
    '--silent',
    '--selectProjects',
    'interface',
    'units',
    '--testPathPatterns',
    tests,
  ];
  const { code, output } = run(copy, process.execPath, ...jest);
  expect({ code, failed: output.match(/^\s+● .*/gm) }).toEqual({ code: 0, failed: null });
}

describe('a new shop', () => {
  test(
    'with the hosted page only has nothing of the card page, and is green',
    () => {
      const made = newShop('--yes', '--ways', 'hosted');

      expect(made).toEqual({ code: 0, output: expect.stringContaining('Done.') });
      expect(
        linesWith('/checkout/card|card\\.js|startCardPayment|processPayment[(:]|vaultAccess|waysToPay'),
      ).toEqual([]);
      expectCompiles();
      expectGreen('test/config|test/web/(?:headers|views)|hosted-checkout|test/project/(?:docs|cases)');
      expect(newShop('--ways', 'card', '--yes').output).toContain('commit or stash');
    },
    PATIENCE_MS,
  );

  test(
    'with cards only has nothing of the hosted page, and is green',
    () => {
      const made = newShop('--yes', '--ways', 'card');

      expect(made).toEqual({ code: 0, output: expect.stringContaining('Done.') });
      expect(linesWith('/checkout/hosted|startHostedCheckout|startSession[(:]|payHosted|waysToPay')).toEqual(
        [],
      );
      expectCompiles();
      expectGreen('test/config|test/web/(?:headers|views)|card-payment|test/project/(?:docs|cases)');
      commitAll(copy);
      expect(newShop('--ways', 'hosted', '--yes').output).toContain('--ways: hosted has been taken out');
      expect(newShop('--ways', 'card', '--yes').output).toContain('nothing to change');
      expect(changes()).toBe('');
    },
    PATIENCE_MS,
  );

  test(
    'with both ways has its own name, amounts and one language, and is green',
    () => {
      const answers = ['--name', 'L’Étoile Ñ', '--money', 'code', '--languages', 'en'];
      const seen = newShop('--dry-run', ...answers);
      const untouched = changes();
      const made = newShop('--yes', ...answers);

      expect(seen.output).toContain('change  src/words/brand.ts');
      expect(untouched).toBe('');
      expect(made).toEqual({ code: 0, output: expect.stringContaining('Done.') });
      expect(readFileSync(join(copy, 'src/words/brand.ts'), 'utf8')).toContain('L’Étoile Ñ');
      expect(readFileSync(join(copy, '.env'), 'utf8')).toBe(
        'MAIL_FROM="L’Étoile Ñ <tienda@localhost>"\nLANGUAGES=en\n',
      );
      expectGreen('test/web/(?:views|ways)|test/goods|test/project/docs');
      commitAll(copy);
      expect(newShop('--yes', ...answers).output).toContain('nothing to change');
    },
    PATIENCE_MS,
  );

  test(
    'is not begun by a wrong answer',
    () => {
      const wrong = newShop('--ways', 'cash');

      expect(wrong.code).toBe(2);
      expect(wrong.output).toContain('--ways must be');
      expect(changes()).toBe('');
    },
    PATIENCE_MS,
  );
});
