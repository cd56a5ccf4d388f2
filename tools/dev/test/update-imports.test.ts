import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { linkPackages } from '../../../test/support/link-packages.js';
import { commitAll, copyProject, run } from '../../../test/support/project-copy.js';

const ROOM = 'src/features/gift-cards';
const TEST = 'test/gift-card.test.ts';
const DRILL = 'tools/gift-drill/main.ts';
const copy = copyProject();
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const write = (path: string, lines: readonly string[]) => {
  mkdirSync(join(copy, dirname(path)), { recursive: true });
  writeFileSync(join(copy, path), `${lines.join('\n')}\n`);
};
const read = (path: string) => readFileSync(join(copy, path), 'utf8').trimEnd().split('\n');

test('own code of version 1 imports the payments by their entries, its tests what is behind them, and what no entry has is named', () => {
  linkPackages(copy);
  commitAll(copy);
  write(`${ROOM}/gift-card.ts`, [
    "import { addDays, type Centavos, toPesosText } from '../../payments/rules/index.js';",
    "import { findOrder } from '../../db/orders.js';",
    "import type { AdminOrderSection } from '../../admin/order-record.js';",
    "import type { CheckoutContext } from '../../shop/context.js';",
    "import { newPayment, queueJob as queue } from '../../payments/index.js';",
    "import type { DatabaseOf } from '../../database/database.js';",
    "import * as rules from '../../payments/rules/index.js';",
    'import { centavos } from "../../payments/rules/money.js";',
    "export type { Refund as GiftRefund } from '../../payments/index.js';",
    "type Payments = import('../../payments/index.js').Payments;",
    "const { errorName: nameOf, sum } = await import('../../payments/rules/index.js');",
    'export const currency = rules.CURRENCY;',
  ]);
  write(`${ROOM}/inbox.ts`, [
    'import {',
    '  lockOrder,',
    '  touchOrder,',
    "} from '../../payments/store/orders.js';",
    "import * as door from '../../payments/index.js';",
    'door.newPayment(door.queueJob);',
  ]);
  // A merge leaves a file that the shop changed and the template deleted.
  write('src/payments/index.ts', ["export { giftTotal } from './gift-total.js';"]);
  write(TEST, [
    "import { newPayment } from '../src/payments/index.js';",
    "import { lockOrder, touchOrder } from '../src/payments/store/orders.js';",
    "const { dialectOf } = await import('../src/database/dialects.js');",
    "import { callSchema, type Fault } from '../tools/simulator/faults.js';",
  ]);
  write(DRILL, ["import { callSchema } from '../simulator/faults.js';"]);

  const { code, output } = run(copy, 'node', 'tools/dev/update-imports.js');

  expect(read(`${ROOM}/gift-card.ts`)).toEqual([
    "import { addDays } from '../../shop/rules/mexico-day.js';",
    "import { type Centavos, toPesosText } from '@tianguis/payments/rules';",
    "import { findOrder } from '../../tables/orders.js';",
    "import type { AdminOrderSection } from '../../admin/order/order-record.js';",
    "import type { CheckoutContext } from '../../shop/checkout-context.js';",
    "import { newPayment } from '@tianguis/payments';",
    "import { queueJob as queue } from '@tianguis/payments/back-office';",
    "import type { DatabaseOf } from '@tianguis/payments/database';",
    "import * as rules from '@tianguis/payments/rules';",
    'import { centavos } from "@tianguis/payments/rules";',
    "export type { Refund as GiftRefund } from '@tianguis/payments/back-office';",
    "type Payments = import('@tianguis/payments').Payments;",
    "const { errorName: nameOf, sum } = await import('@tianguis/payments/rules');",
    'export const currency = rules.CURRENCY;',
  ]);
  expect(read(TEST)).toEqual([
    "import { newPayment } from '@tianguis/payments';",
    "import { lockOrder } from '@tianguis/payments/back-office';",
    "import { touchOrder } from '../packages/payments/src/store/orders.js';",
    "const { dialectOf } = await import('../packages/payments/src/database/dialects.js');",
    "import { callSchema } from '../packages/gateway-tools/src/simulator/faults.js';",
    "import { type Fault } from '@tianguis/gateway-tools';",
  ]);
  expect(code).toBe(1);
  expect(output.trim().split('\n')).toEqual([
    'Updated:',
    ...[`${ROOM}/gift-card.ts`, `${ROOM}/inbox.ts`, TEST].map((file) => `  ${file}`),
    'These need the sources. Where they go: npm run features -- apply --keep payments-source --keep gateway-tools-source',
    `  ${TEST}`,
    'Change these yourself. packages/payments/README.md lists the entries:',
    `  ${ROOM}/inbox.ts:2: ../../payments/store/orders.js`,
    `  ${ROOM}/inbox.ts:3: ../../payments/index.js`,
    `  ${DRILL}:1: ../simulator/faults.js`,
    'Delete these. Your own lines belong into packages/payments/src/:',
    '  src/payments/index.ts',
  ]);
});
