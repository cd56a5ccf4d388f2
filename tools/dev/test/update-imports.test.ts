import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { linkPackages } from '../../../test/support/link-packages.js';
import { commitAll, copyProject, run } from '../../../test/support/project-copy.js';

const FILE = 'src/features/gift-cards/gift-card.ts';
const copy = copyProject();
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('own code of version 1 imports the payments by their entries, and what no entry has is named', () => {
  linkPackages(copy);
  commitAll(copy);
  mkdirSync(join(copy, 'src/features/gift-cards'));
  const lines = [
    "import { addDays, type Centavos, toPesosText } from '../../payments/rules/index.js';",
    "import { newPayment, queueJob } from '../../payments/index.js';",
    "import type { DatabaseOf } from '../../database/database.js';",
    "import { storeWebhook } from '../../payments/store/inbox.js';",
  ];
  writeFileSync(join(copy, FILE), `${lines.join('\n')}\n`);

  const { code, output } = run(copy, 'node', 'tools/dev/update-imports.js');

  expect(readFileSync(join(copy, FILE), 'utf8').trim().split('\n')).toEqual([
    "import { addDays } from '../../shop/rules/mexico-day.js';",
    "import { type Centavos, toPesosText } from '@tianguis/payments/rules';",
    "import { newPayment } from '@tianguis/payments';",
    "import { queueJob } from '@tianguis/payments/back-office';",
    "import type { DatabaseOf } from '@tianguis/payments/database';",
    lines[3],
  ]);
  expect(code).toBe(1);
  expect(output).toMatch(/^Updated:\n {2}src\/features\/gift-cards\/gift-card\.ts\nNo entry has/);
  expect(output.trim().split('\n').at(-1)?.trim()).toBe(`${FILE}: ../../payments/store/inbox.js`);
});
