import { describe, expect, test } from '@jest/globals';
import { insertOrder } from '../../src/db/orders.js';
import type { OrdersTable } from '../../src/db/schema.js';
import { centavos } from '../../src/domain/money.js';
import { openBackOffice, PASSWORD } from '../support/admin.js';
import { until } from '../support/inspect.js';
import { LINE, orderRow } from '../support/rows.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

const env = { ADMIN_PASSWORD: PASSWORD };
const SYMBOLS = '23456789ADEFHJKMNPRTWXYC';

/** `TG-2222-2223` and so on: numbers that a person could read aloud. */
function numberOf(nth: number): string {
  const digit = (place: number) => SYMBOLS.charAt(Math.floor(nth / SYMBOLS.length ** place) % SYMBOLS.length);
  return `TG-2222-22${digit(1)}${digit(0)}`;
}

async function place(shop: TestShop, rows: readonly Partial<OrdersTable>[]): Promise<void> {
  await shop.context.checkout.db.transaction(async (queries) => {
    for (const [nth, row] of rows.entries()) {
      await insertOrder(queries, orderRow({ number: numberOf(nth), createdAt: nth + 1, ...row }), [LINE]);
    }
  });
}

const numbersIn = (html: string) =>
  [...html.matchAll(/href="\/admin\/orders\/(TG-[^"]+)"/g)].map(([, n]) => n);
const linkIn = (html: string, name: string) =>
  new RegExp(`href="([^"]+)" data-test="${name}"`)
    .exec(html)?.[1]
    ?.replaceAll('&amp;', '&')
    .replaceAll('&#38;', '&');

describe('the list of orders', () => {
  test('is leafed through there and back with its filters, and meets every order once', async () => {
    await using shop = await openTestShop({ env });
    await place(
      shop,
      Array.from({ length: 130 }, (_, nth) => ({
        state: nth < 120 ? 'paid' : 'pending',
        createdAt: nth % 7,
      })),
    );
    const merchant = await openBackOffice(shop);

    const pages: (readonly (string | undefined)[])[] = [];
    let path: string | undefined = '/admin/orders?state=paid';
    let last = '';
    while (path !== undefined) {
      const { text } = await merchant.get(path);
      pages.push(numbersIn(text));
      last = text;
      path = linkIn(text, 'admin-older');
    }
    const back = await merchant.get(linkIn(last, 'admin-newer') ?? '');
    const first = await merchant.get(linkIn(back.text, 'admin-newer') ?? '');

    expect(pages.map((page) => page.length)).toEqual([50, 50, 20]);
    expect(new Set(pages.flat()).size).toBe(120);
    expect(numbersIn(back.text)).toEqual(pages[1]);
    expect(numbersIn(first.text)).toEqual(pages[0]);
    expect(linkIn(first.text, 'admin-newer')).toBeUndefined();
    expect(linkIn(last, 'admin-newer')).toContain('state=paid');
  });

  test('finds by e-mail in any case, by who has to look, and by days of Mexico City', async () => {
    await using shop = await openTestShop({ env });
    const at = (iso: string) => Date.parse(iso);
    await place(shop, [
      { email: 'Eva@Example.com', createdAt: at('2026-03-02T05:59:59Z') },
      {
        email: 'ana@example.com',
        createdAt: at('2026-03-02T06:00:00Z'),
        reviewReason: 'other_amount',
        state: 'review',
      },
      { email: 'ana@example.com', createdAt: at('2026-03-03T05:59:59Z'), state: 'outcome_unknown' },
      { email: 'eva@example.com', createdAt: at('2026-03-03T06:00:00Z') },
    ]);
    const merchant = await openBackOffice(shop);
    const found = async (query: string) => numbersIn((await merchant.get(`/admin/orders?${query}`)).text);
    const [first, second, third, fourth] = [0, 1, 2, 3].map(numberOf);

    expect(await found('q=%20EVA%40example.com')).toEqual([fourth, first]);
    expect(await found('person=1')).toEqual([third, second]);
    expect(await found('person=1&state=review')).toEqual([second]);
    expect(await found('from=2026-03-02&to=2026-03-02')).toEqual([third, second]);
    expect(await found('q=eva%40example.com&to=2026-03-01')).toEqual([first]);
    expect(await found('q=nobody%40example.com')).toEqual([]);
    expect((await merchant.get('/admin/orders?q=2222%202223')).headers['location']).toBe(
      `/admin/orders/${second}`,
    );
  });

  test.each([
    ['q=caf%C3%A9', 'q', 'café', 'Escribe un número de pedido completo o un correo completo.'],
    ['q=TG-9999-9999', 'q', 'TG-9999-9999', 'No hay ningún pedido con ese número.'],
    ['q=a%40b%40c', 'q', 'a@b@c', 'Escribe un número de pedido completo o un correo completo.'],
    ['state=%3Cb%3E', 'state', '&lt;b&gt;', 'no es un estado'],
    ['from=2026-02-30', 'from', '2026-02-30', 'no es un día'],
    ['from=2026-03-02&to=2026-03-01', 'to', '2026-03-01', 'Este día es anterior al primero.'],
  ])(
    'with %s says so at the field, and loses nothing that was typed',
    async (query, ...[field, value, message]) => {
      await using shop = await openTestShop({ env });
      await place(shop, [{}]);
      const merchant = await openBackOffice(shop);

      const answers = [
        await merchant.get(`/admin/orders?${query}&person=1`),
        await merchant.get(`/admin/orders.csv?${query}&person=1`),
      ];

      for (const { status, text, headers } of answers) {
        expect([status, headers['content-type']]).toEqual([422, 'text/html; charset=utf-8']);
        expect(text).toMatch(new RegExp(`id="${field}-error" role="alert">[^<]*${message}`));
        expect(text).toMatch(new RegExp(`id="${field}"[^>]*aria-invalid="true"`));
        expect(text).toContain(`value="${value}"`);
        expect(text).toMatch(/id="person"[^>]* checked>/);
        expect(numbersIn(text)).toEqual([]);
      }
    },
  );

  test('takes doubled and unknown parameters for none', async () => {
    await using shop = await openTestShop({ env });
    await place(shop, [{}, {}]);
    const merchant = await openBackOffice(shop);

    const page = await merchant.get('/admin/orders?state=paid&state=pending&after=nothing&before=x&hack=1');

    expect(page.status).toBe(200);
    expect(numbersIn(page.text)).toHaveLength(2);
  });
});

describe('the orders as a file', () => {
  test('are those of the filter, as a spreadsheet reads them, and nothing in them runs or opens an order', async () => {
    await using shop = await openTestShop({ env });
    await place(shop, [
      { state: 'pending' },
      {
        ...{ firstName: '=HYPERLINK("http://evil.example","x")', lastName: 'De la "O", Ñandú\nSalto' },
        ...{
          email: '+eva@example.com',
          total: centavos(123_456_05),
          state: 'paid',
          reviewReason: 'second_payment',
        },
        ...{ createdAt: Date.parse('2026-03-02T06:00:00Z'), paidAt: Date.parse('2026-03-02T06:01:02.003Z') },
      },
    ]);
    const merchant = await openBackOffice(shop);

    const file = await merchant.get('/admin/orders.csv?state=paid');

    expect(file.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename=pedidos.csv',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    });
    expect(file.text).toBe(
      [
        '\ufeffPedido,Estado,Por qué espera a una persona,Total,Moneda,Nombre,Apellidos,Correo,Hecho,Pagado\r\n',
        `${numberOf(1)},Pagado,Se pagó dos veces la misma compra.,123456.05,MXN,`,
        '"\'=HYPERLINK(""http://evil.example"",""x"")","De la ""O"", Ñandú\nSalto","\'+eva@example.com",',
        '2026-03-02T06:00:00.000Z,2026-03-02T06:01:02.003Z\r\n',
      ].join(''),
    );
  });

  test('a cell that begins with a formula sign, of half, full or small width, is exported as text', async () => {
    await using shop = await openTestShop({ env });
    const signs = [...'=+-@＝＋－＠﹦﹢﹣﹫'];
    await place(
      shop,
      signs.map((sign) => ({ lastName: `${sign}1+1` })),
    );
    const merchant = await openBackOffice(shop);

    const file = await merchant.get('/admin/orders.csv');

    for (const sign of signs) expect(file.text).toContain(`,"'${sign}1+1",`);
  });

  test('hold every order once, however many pages of the table they take, and the log counts them', async () => {
    await using shop = await openTestShop({ env });
    await place(
      shop,
      Array.from({ length: 1_001 }, (_, nth) => ({ number: `TG-${nth}`, createdAt: nth % 3 })),
    );
    const merchant = await openBackOffice(shop);

    const file = await merchant.get('/admin/orders.csv');
    const head = await merchant.agent.head('/admin/orders.csv');

    const records = file.text.trimEnd().split('\r\n').slice(1);
    const { token } = await shop.context.checkout.db.queries
      .selectFrom('orders')
      .select('token')
      .executeTakeFirstOrThrow();
    expect(new Set(records.map((record) => record.split(',')[0])).size).toBe(1_001);
    expect(records).toHaveLength(1_001);
    expect(file.text).not.toContain(token);
    expect(head.status).toBe(200);
    await until(() => shop.logged.some((line) => line.includes('"orders.exported"')));
    const line = shop.logged.find((text) => text.includes('"orders.exported"')) ?? '';
    expect(JSON.parse(line)).toMatchObject({ count: 1_001 });
    expect(shop.logged.join('')).not.toContain('eva@example.com');
  });

  test('are cut, never ended as if they were whole, when the database fails midway', async () => {
    await using shop = await openTestShop({ env });
    await place(
      shop,
      Array.from({ length: 600 }, (_, nth) => ({ number: `TG-${nth}` })),
    );
    const merchant = await openBackOffice(shop);
    const { db } = shop.context.checkout;
    // What a row must not hold: the second page of the table cannot be written out.
    await db.queries.updateTable('orders').set({ createdAt: 9e15 }).where('number', '=', 'TG-3').execute();
    await db.queries.updateTable('orders').set({ paidAt: 9e15 }).where('number', '=', 'TG-4').execute();

    const answer = merchant.get('/admin/orders.csv');

    await expect(answer).rejects.toThrow(/aborted|hang up|terminated/);
    expect(shop.logged.join('')).toContain('"orders.export_truncated"');
    expect((await merchant.get('/admin/orders?state=paid')).status).toBe(200);
  });
});
