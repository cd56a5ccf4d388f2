import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { insertOrder } from '../../src/db/orders.js';
import type { OrdersTable } from '../../src/db/schema.js';
import { centavos } from '../../src/domain/money.js';
import { openBackOffice } from '../support/admin.js';
import { until } from '../support/inspect.js';
import { LINE, orderRow } from '../support/rows.js';
import { openTestShop } from '../support/test-shop.js';

const SYMBOLS = '23456789ADEFHJKMNPRTWXYC';
const shop = await openTestShop();
const { queries } = shop.context.checkout.db;
const merchant = await openBackOffice(shop);
afterAll(async () => shop[Symbol.asyncDispose]());
beforeEach(async () => {
  await queries.deleteFrom('orderLines').execute();
  await queries.deleteFrom('orders').execute();
});

/** Order numbers from `TG-2222-2222` on. */
function numberOf(nth: number): string {
  const digit = (position: number) =>
    SYMBOLS.charAt(Math.floor(nth / SYMBOLS.length ** position) % SYMBOLS.length);
  return `TG-2222-2${digit(2)}${digit(1)}${digit(0)}`;
}

async function insertOrders(rows: readonly Partial<OrdersTable>[]): Promise<void> {
  await shop.context.checkout.db.transaction(async (inner) => {
    for (const [nth, row] of rows.entries())
      await insertOrder(inner, orderRow({ number: numberOf(nth), createdAt: nth + 1, ...row }), [LINE]);
  });
}

const insertMany = (count: number, rowOf: (nth: number) => Partial<OrdersTable>) =>
  insertOrders(Array.from({ length: count }, (_, nth) => rowOf(nth)));

const numbersIn = (html: string) =>
  [...html.matchAll(/href="\/admin\/orders\/(TG-[^"]+)"/g)].map(([, n]) => n);

test('the list of orders is filtered by e-mail in any case, by review, by days of Mexico City, and ignores other parameters', async () => {
  const at = (iso: string) => Date.parse(iso);
  const ana = { email: 'ana@example.com' };
  await insertOrders([
    { email: 'Eva@Example.com', createdAt: at('2026-03-02T05:59:59Z') },
    { ...ana, createdAt: at('2026-03-02T06:00:00Z'), reviewReason: 'other_amount', state: 'review' },
    { ...ana, createdAt: at('2026-03-03T05:59:59Z'), state: 'outcome_unknown' },
    { email: 'eva@example.com', createdAt: at('2026-03-03T06:00:00Z') },
  ]);
  const found = async (query: string) => numbersIn((await merchant.get(`/admin/orders?${query}`)).text);
  const [first, second, third, fourth] = [0, 1, 2, 3].map(numberOf);

  expect(await found('q=%20EVA%40example.com')).toEqual([fourth, first]);
  expect(await found('review=1')).toEqual([third, second]);
  expect(await found('review=1&state=review')).toEqual([second]);
  expect(await found('from=2026-03-02&to=2026-03-02')).toEqual([third, second]);
  expect(await found('q=eva%40example.com&to=2026-03-01')).toEqual([first]);
  expect(await found('q=unknown%40example.com')).toEqual([]);
  expect(await found('state=paid&state=pending&after=nothing&before=x&hack=1')).toHaveLength(4);
  const byNumber = await merchant.get('/admin/orders?q=2222%202223');
  expect(byNumber.headers['location']).toBe(`/admin/orders/${second}`);
});

test('the list of orders shows name and e-mail, and finds a name that could be an order number', async () => {
  await insertOrders([
    { firstName: 'Fernanda', lastName: 'Núñez', email: 'fer@example.com' },
    { firstName: 'Eva', lastName: 'González', number: 'TG-GONZ-ALEZ' },
    { firstName: '', lastName: '', email: '' },
  ]);
  const found = async (query: string) => (await merchant.get(`/admin/orders?${query}`)).text;

  const list = await found('');
  const byName = await found('q=FERNANDA');
  const byNumber = await merchant.get('/admin/orders?q=gonzalez');

  expect(list).toMatch(/<bdi>Fernanda Núñez<\/bdi> <bdi class="quiet">fer@example\.com<\/bdi>/);
  expect(numbersIn(list)).toHaveLength(3);
  expect(numbersIn(byName)).toEqual([numberOf(0)]);
  expect(numbersIn(await found('q=nu%CC%81n%CC%83ez&state=created'))).toEqual([numberOf(0)]);
  expect(numbersIn(await found(`q=${'%25_'.repeat(2_000)}nunez`))).toEqual([]);
  expect(byNumber.headers['location']).toBe('/admin/orders/TG-GONZ-ALEZ');
});

test.each([
  [
    'q=%25_%C3%A9a',
    'q',
    '%_éa',
    'Escribe un número de pedido completo, un correo completo o al menos tres letras',
  ],
  ['q=TG-9999-9999', 'q', 'TG-9999-9999', 'No hay ningún pedido con ese número.'],
  [
    'q=a%40b%40c',
    'q',
    'a@b@c',
    'Escribe un número de pedido completo, un correo completo o al menos tres letras',
  ],
  ['state=%3Cb%3E', 'state', '&lt;b&gt;', 'no es un estado'],
  ['from=2026-02-30', 'from', '2026-02-30', 'no es una fecha'],
  ['from=2026-03-02&to=2026-03-01', 'to', '2026-03-01', 'Esta fecha es anterior a la fecha inicial.'],
])(
  'the list of orders with the invalid filter %s shows the error at its field and keeps the other filters',
  async (query, ...row) => {
    const [field, value, message] = row;
    await insertOrders([{}]);

    for (const page of ['/admin/orders', '/admin/orders.csv']) {
      const { status, text, headers } = await merchant.get(`${page}?${query}&review=1`);

      expect([status, headers['content-type']]).toEqual([422, 'text/html; charset=utf-8']);
      expect(text).toMatch(new RegExp(`id="${field}-error" role="alert">[^<]*${message}`));
      expect(text).toMatch(new RegExp(`id="${field}"[^>]*aria-invalid="true"`));
      expect(text).toContain(`value="${value}"`);
      expect(text).toMatch(/id="review"[^>]* checked>/);
      expect(numbersIn(text)).toEqual([]);
    }
  },
);

test('the CSV export holds the filtered orders in a form that spreadsheets read without running formulas', async () => {
  const name = { firstName: '=HYPERLINK("http://evil.example","x")', lastName: 'De la "O", Ñandú\nSalto' };
  const at = {
    createdAt: Date.parse('2026-03-02T06:00:00Z'),
    paidAt: Date.parse('2026-03-02T06:01:02.003Z'),
  };
  const amount = { total: centavos(123_456_05), state: 'paid', reviewReason: 'second_payment' } as const;
  await insertOrders([{ state: 'pending' }, { ...name, ...at, ...amount, email: '+eva@example.com' }]);

  const file = await merchant.get('/admin/orders.csv?state=paid');

  expect(file.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename=pedidos.csv',
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
  });
  expect(file.text).toBe(
    [
      '\ufeffPedido,Fecha del pedido,Fecha de pago,Estado,Motivo de revisión,',
      'Clave del producto,Artículo,Cantidad,Precio unitario,Importe,Tasa de IVA (%),Base,IVA,Total del pedido,Reembolsado,Moneda,',
      'Nombre,Apellidos,Correo electrónico,Calle y número exterior,Número interior (opcional),Colonia,',
      'Municipio o alcaldía,Estado,Código postal,Teléfono,Referencias (opcional),',
      'Factura: RFC,Factura: Nombre o razón social,Factura: Régimen fiscal,Factura: Uso de la factura (CFDI),',
      'Factura: Código postal,Factura: Correo electrónico\r\n',
      `${numberOf(1)},2026-03-02T06:00:00.000Z,2026-03-02T06:01:02.003Z,Pagado,La misma compra se pagó dos veces.,`,
      'taza-talavera,Taza,1,1.00,1.00,16,0.86,0.14,123456.05,0.00,MXN,',
      '"\'=HYPERLINK(""http://evil.example"",""x"")","De la ""O"", Ñandú\nSalto","\'+eva@example.com",,,,,,,,,,,,,,\r\n',
    ].join(''),
  );
});

test('the CSV export has one row per order line, and its columns add up to the totals of the orders', async () => {
  const line = (productId: string, pesos: number, quantity: number) => ({
    productId,
    name: `=${productId}`,
    unitPrice: centavos(pesos * 100),
    quantity,
    taxRate: '16' as const,
  });
  const lines = [line('cafe-chiapas', 150, 2), line('gone', 10, 1)];
  await shop.context.checkout.db.transaction(async (inner) => {
    const bought = { locale: 'en', total: centavos(310_00) } as const;
    await insertOrder(inner, orderRow({ ...bought, number: numberOf(0), createdAt: 2 }), lines);
    await insertOrder(inner, orderRow({ number: numberOf(1), createdAt: 1 }), [LINE]);
  });

  const { text } = await merchant.get('/admin/orders.csv');

  const [heading = [], ...rows] = text
    .slice(1)
    .trimEnd()
    .split('\r\n')
    .map((record) => record.split(','));
  const cell = (name: string) => rows.map((row) => row[heading.indexOf(name)]);
  const sumOf = (name: string) => cell(name).reduce((total, value) => total + Number(value), 0);
  expect(cell('Pedido')).toEqual([numberOf(0), numberOf(0), numberOf(1)]);
  expect(cell('Artículo')).toEqual(['Café de altura de Chiapas', '"\'=gone"', 'Taza']);
  expect(cell('Importe')).toEqual(['300.00', '10.00', '1.00']);
  expect(cell('Total del pedido')).toEqual(['310.00', '', '1.00']);
  expect(cell('Correo electrónico')).toEqual(['eva@example.com', '', 'eva@example.com']);
  expect([sumOf('Importe'), sumOf('Cantidad')]).toEqual([sumOf('Total del pedido'), 4]);
});

test('a cell that begins with a formula sign, of half, full or small width, is exported as text', async () => {
  const signs = [...'=+-@＝＋－＠﹦﹢﹣﹫'];
  await insertMany(signs.length, (nth) => ({ lastName: `${signs[nth]}1+1` }));

  const file = await merchant.get('/admin/orders.csv');

  for (const sign of signs) expect(file.text).toContain(`,"'${sign}1+1",`);
});

test('the CSV export of 1,001 orders holds each once without its token, and logs their number without customers', async () => {
  await insertMany(1_001, (nth) => ({ createdAt: nth % 3 }));

  const file = await merchant.get('/admin/orders.csv');
  const head = await merchant.agent.head('/admin/orders.csv');

  const records = file.text.trimEnd().split('\r\n').slice(1);
  const { token } = await queries.selectFrom('orders').select('token').executeTakeFirstOrThrow();
  expect(records).toHaveLength(1_001);
  expect(new Set(records.map((record) => record.split(',')[0])).size).toBe(1_001);
  expect(file.text).not.toContain(token);
  expect(head.status).toBe(200);
  await until(() =>
    shop.logged.some((line) => /"orders.exported"/.test(line) && /"count":1001\b/.test(line)),
  );
  expect(shop.logged.join('')).not.toContain('eva@example.com');
});

test('the CSV export is cut off visibly when the database fails halfway', async () => {
  await insertMany(600, () => ({}));
  // No date can hold these values, so the second page of rows cannot be written.
  await queries.updateTable('orders').set({ createdAt: 9e15 }).where('number', '=', numberOf(3)).execute();
  await queries.updateTable('orders').set({ paidAt: 9e15 }).where('number', '=', numberOf(4)).execute();

  await expect(merchant.get('/admin/orders.csv')).rejects.toThrow(/aborted|hang up|terminated/);

  expect(shop.logged.join('')).toContain('"orders.export_truncated"');
  expect((await merchant.get('/admin/orders?state=paid')).status).toBe(200);
});
