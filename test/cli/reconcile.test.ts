/** The command that compares the gateway's export with the payments here. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import type { Attempt } from '@tianguis/payments/rules';
import { centavos } from '@tianguis/payments/rules';
import { attemptRow, insertAttempt } from '@tianguis/payments/testing';
import { startOfDay } from '../../src/shop/rules/mexico-day.js';
import { insertOrder } from '../../src/tables/orders.js';
import { openCommands } from '../support/commands.js';
import { LINE, orderRow } from '../support/rows.js';

const { folder, queries, reconcile, run } = await openCommands();
const file = join(folder, 'export.csv');
const DAY = startOfDay('2026-11-20');

async function storePayment(reference: string, change: Partial<Omit<Attempt, 'live'>>, paidAt = DAY): Promise<void> {
  const attempt = attemptRow('', { state: 'paid', reference, amount: centavos(1_099_50), ...change });
  const isPaid = attempt.state === 'paid';
  const order = orderRow({ number: reference, ...(isPaid && { state: 'paid', paidAt, paidAttemptId: attempt.id }) });
  await insertOrder(queries, order, [LINE]);
  await insertAttempt(queries, { ...attempt, orderId: order.id });
}

beforeAll(async () => {
  await storePayment('TG-1', { gatewayId: 'pay-1', flow: 'card' });
  await storePayment('TG-2', { gatewayId: 'cs-2', paymentId: '2002' });
  await storePayment('TG-3', { gatewayId: 'pay-3', state: 'declined' });
  await storePayment('TG-4', { gatewayId: 'pay-4' }, DAY + 24 * 3_600_000);
  await storePayment('TG-5', { flow: 'outside' });
});

const HEADER = 'ID,Monto,Estado';
const NAMES = ['--id', 'ID', '--amount', 'Monto', '--status', 'Estado'];
const SAME = ['pay-1,"$1,099.50",authorized', '2002,1099.5,completed', 'pay-3,1099.50,Declined'];

function compare(rows: readonly string[], ...options: readonly string[]) {
  writeFileSync(file, `\ufeff${[HEADER, ...rows].join('\r\n')}\r\n`);
  return reconcile(file, ...NAMES, ...options);
}

test('an export with the payments of its days is equal: by id or payment number, in pesos or centavos, without those past the gateway', async () => {
  const days = ['--from', '2026-11-20', '--to', '2026-11-20'];

  const equal = await compare(SAME, '--unit', 'pesos', ...days);
  const inCentavos = await compare(
    SAME.map((row) => row.replace(/(".*"|1099.*),/, '109950,')),
    ...['--unit', 'centavos', '--json', ...days],
  );

  expect(equal).toEqual({ code: 0, stdout: '3 rows compared, no difference\n', stderr: '' });
  expect([inCentavos.code, JSON.parse(inCentavos.stdout)]).toEqual([
    0,
    { isEqual: true, rows: 3, differences: [], skipped: [] },
  ]);
});

test.each([
  ['as Excel writes it in a Spanish locale', ''],
  ['with a line that names it', 'sep=;\r\n'],
])('an export separated by ";" is compared, %s', async (_what, line) => {
  const rows = ['ID;Monto;Estado', 'pay-1;"$1,099.50";authorized', '2002;1099.5;completed', 'pay-3;1099.50;Declined'];
  writeFileSync(file, `\ufeff${line}${rows.join('\r\n')}\r\n`);

  const { code, stdout } = await reconcile(file, ...NAMES, '--unit', 'pesos', '--to', '2026-11-20');

  expect([code, stdout]).toEqual([0, '3 rows compared, no difference\n']);
});

const UTF_16_BE = (text: string) => Buffer.from(text, 'utf16le').swap16();

test.each([
  ['in UTF-16 with tabs, as Excel writes "Unicode text"', '\t', (text: string) => Buffer.from(text, 'utf16le')],
  ['in UTF-16, the other byte first', ',', UTF_16_BE],
  ['in UTF-8 with tabs', '\t', (text: string) => Buffer.from(text)],
  ['in Windows-1252', ';', (text: string) => Buffer.from(text.replace('\ufeff', ''), 'latin1')],
])('an export %s is compared', async (_what, separator, encode) => {
  const rows = [['Número', 'Monto', 'Estado'], ...SAME.map((row) => row.replace('"$1,099.50"', '$1099.50').split(','))];
  const text = rows.map((cells) => cells.join(separator)).join('\r\n');
  writeFileSync(file, encode(`\ufeff${text}\r\n`));
  const names = ['--id', 'Número', ...NAMES.slice(2)];

  const { code, stdout } = await reconcile(file, ...names, '--unit', 'pesos', '--to', '2026-11-20');

  expect([code, stdout]).toEqual([0, '3 rows compared, no difference\n']);
});

test('an export with titles, refunds, declined tries, totals and empty rows lists and skips them, and compares the payments', async () => {
  const rows = [
    'Reporte "de pagos"',
    '',
    'ID,Monto,Estado,operation_type',
    'pay-1,"1,099.50 MXN",authorized,payment',
    '2002,MX$1099.50,completed,',
    'try-2,1099.50,Declined,payment',
    'cs-2,,Declined,payment',
    'pay-3,,Declined,payment',
    'ref-1,-500.00,Success,',
    'ref-2,500.00,Success,refund',
    'pay-1,500.00,Partially refunded,',
    'ref-3,500.00,Reembolsado,',
    ',,,',
    'ID,Monto,Estado,operation_type',
    'Pagos con tarjeta,,,',
    'Total,"3,298.50",,',
    ',3298.50,,',
  ];
  writeFileSync(file, rows.join('\n'));
  const options = [file, ...NAMES, '--unit', 'pesos', '--to', '2026-11-20'];

  const { code, stdout } = await reconcile(...options);
  const json = await reconcile(...options, '--json');

  expect(stdout.split('\n')).toEqual([
    'line 1: no payment, skipped: it is before the heading',
    'line 6: no payment, skipped: try-2 is Declined',
    'line 7: no payment, skipped: cs-2 is Declined',
    'line 9: no payment, skipped: Monto is below zero: -500.00',
    'line 10: no payment, skipped: operation_type is refund',
    'line 11: no payment, skipped: pay-1 is Partially refunded',
    'line 12: no payment, skipped: ref-3 is Reembolsado',
    'line 13: no payment, skipped: it is empty',
    'line 14: no payment, skipped: it repeats the heading',
    'line 15: no payment, skipped: Estado is empty',
    'line 16: no payment, skipped: it is a total',
    'line 17: no payment, skipped: Estado is empty',
    '3 rows compared, skipped: 12, no difference',
    '',
  ]);
  const { skipped, rows: compared, isEqual } = JSON.parse(json.stdout);
  expect([code, json.code, compared, isEqual, skipped.length]).toEqual([0, 0, 3, true, 12]);
  expect(skipped[3]).toEqual({ line: 9, reason: 'Monto is below zero: -500.00' });
});

test.each([
  ['an amount in another currency', 'pay-8,10.00 USD,authorized', 'Monto is no amount in pesos: 10.00 USD'],
  ['an amount with a decimal comma', 'pay-8,"1.099,50",authorized', 'Monto is no amount in pesos: 1.099,50'],
  ['no amount', 'pay-8,,authorized', 'Monto is no amount in pesos: '],
  ['no status', 'pay-8,10.00,', 'Estado is empty'],
  ['no id', ',10.00,authorized', 'ID is empty or not readable'],
])(
  'a row that may be a payment and has %s is a difference beside the rows that are compared',
  async (_what, row, reason) => {
    const { code, stdout } = await compare([...SAME, row], '--unit', 'pesos', '--to', '2026-11-20');

    expect([code, stdout]).toEqual([1, `line 5: not readable: ${reason}\n3 rows compared, differences: 1\n`]);
  },
);

test('a payment that the file calls declined and that is paid here is a difference, also without an amount', async () => {
  const rows = ['pay-1,,Declined', ...SAME.slice(1)];

  const { code, stdout } = await compare(rows, '--unit', 'pesos', '--to', '2026-11-20');

  expect([code, stdout]).toEqual([
    1,
    'line 2: pay-1 has another status: Declined in the file, paid here (TG-1)\n3 rows compared, differences: 1\n',
  ]);
});

test('an export lists what only one side has, other amounts, other and unknown statuses, and repeated payments, with exit code 1', async () => {
  const rows = [
    'pay-9,10.00,authorized',
    'pay-1,1099.51,charged_back',
    '2002,1099.50,success',
    'cs-2,1099.50,success',
    'pay-3,1099.50,authorized',
  ];

  const json = await compare(rows, '--unit', 'pesos', '--json');
  const text = await run('reconcile', ['export.csv', ...NAMES, '--unit', 'pesos']);

  expect(text).toEqual({
    code: 1,
    stdout: [
      'line 2: pay-9 is in the file and not here (authorized)',
      'line 3: pay-1 has another amount: 1099.51 in the file, 1099.50 here (TG-1)',
      'line 3: pay-1 has another status: charged_back in the file, paid here (TG-1)',
      'line 5: cs-2 is in the file twice (TG-2)',
      'line 6: pay-3 has another status: authorized in the file, declined here (TG-3)',
      'TG-4: pay-4 is here and not in the file (1099.50)',
      '5 rows compared, differences: 6\n',
    ].join('\n'),
    stderr: '',
  });
  const { differences } = JSON.parse(json.stdout);
  expect([json.code, differences[1]]).toEqual([
    1,
    { kind: 'other_amount', line: 3, id: 'pay-1', reference: 'TG-1', inFile: 109951, here: 109950 },
  ]);
});

test.each([
  [
    'a row without an id and one with another form of amount',
    [',1.00,paid', 'a,"1.099,50",paid', 'b,1,'],
    [],
    ['line 2: ID', 'line 3: Monto is no amount in pesos: 1.099,50', 'line 4: Estado'],
  ],
  [
    'a column that is missing',
    ['a,1,paid'],
    ['--id', 'uuid'],
    ['line 1: there is no column uuid (--id names it). Columns: ID, Monto, Estado'],
  ],
  [
    'no row of a payment',
    ['ref-1,-1.00,Success', 'x,1.00,Declined', 'Total,1.00,', ',,'],
    [],
    ['the file has no payment that can be compared', 'line 2: Monto is below zero', 'line 5: it is empty'],
  ],
  ['a quote that does not end', ['a,"1,paid'], [], ['the file is not CSV']],
  ['no unit', ['a,1,paid'], ['--unit', 'mxn'], ['--unit must be pesos or centavos']],
  ['a day that does not exist', ['a,1,paid'], ['--from', '2026-02-30'], ['2026-02-30 is no day']],
])('an export with %s is compared with nothing and ends with exit code 2', async (_what, rows, options, reasons) => {
  const { code, stdout, stderr } = await compare(rows, '--unit', 'pesos', ...options);

  expect([code, stdout]).toEqual([2, '']);
  for (const reason of reasons) expect(stderr).toContain(reason);
});

test('a file that does not exist, an empty one, a spreadsheet and no file end with exit code 2', async () => {
  writeFileSync(join(folder, 'empty.csv'), '');
  writeFileSync(join(folder, 'sheet.xlsx'), 'PK\u0003\u0004\0\0');

  const files = [[join(folder, 'gone.csv')], [join(folder, 'empty.csv')], [join(folder, 'sheet.xlsx')], []];
  const results = await Promise.all(files.map((named) => reconcile(...named, '--unit', 'pesos')));

  expect(results.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
});
