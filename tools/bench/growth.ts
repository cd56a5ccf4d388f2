/** Measures the same requests with a given number of orders, spread over two years. Reads the version of the database. */
import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import { openDatabase } from '../../src/tables/database.js';
import { createDatabase } from '../../test/support/temporary-database.js';
import { checkOut, fillCarts, postForm } from './load.js';
import { makeFolder, SECRET, startShop } from './programs.js';

const TWO_YEARS_MS = 730 * 24 * 60 * 60 * 1000;
/** Rows per statement. More rows would exceed the shop's statement timeout. */
const BATCH = 25_000;
const REQUESTS_PER_SECOND = 14;

/** Returns the durations of each request in milliseconds, with `orders` orders in the database. */
export async function requestTimes(
  orders: number,
  seconds: number,
  server?: string,
): Promise<Record<string, number[]>> {
  await using shop = await startShop(server, { paid: true }, (url) => fillOrders(url, orders));
  const cookie = await postForm(`${shop.url}/admin/sign-in`, `name=admin&password=${SECRET}`);
  const admin = (path: string) => () => fetch(`${shop.url}/admin${path}`, { headers: { cookie }, redirect: 'error' });
  const count = REQUESTS_PER_SECOND * seconds;
  const headers = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' };
  const event = (id: string) => JSON.stringify({ event: 'session.completed', data: { id } });
  const requests: Record<string, (id: string, returnUrl: string) => Promise<Response>> = {
    return: (id, returnUrl) => fetch(`${returnUrl}?session_id=${id}`, { redirect: 'manual' }),
    webhook: (id) => fetch(`${shop.url}/webhooks/payments`, { method: 'POST', headers, body: event(id) }),
    'admin overview': admin(''),
    'admin orders': admin('/orders'),
    'admin search by e-mail': admin('/orders?q=customer7%40example.com'),
    'admin search by name': admin('/orders?q=ruiz'),
  };
  await checkOut(shop.url, await fillCarts(shop.url, count * Object.keys(requests).length), 4);
  const sessions = [...shop.gateway.sessions];
  const times: Record<string, number[]> = {};
  for (const [name, send] of Object.entries(requests)) {
    times[name] = [];
    for (const [id, { return_url }] of sessions.splice(0, count)) {
      const startedAt = performance.now();
      const answer = await send(id, return_url);
      await answer.arrayBuffer();
      if (answer.status >= 400) throw new Error(`${name}: answered ${answer.status}`);
      times[name].push(performance.now() - startedAt);
    }
  }
  return times;
}

/** Inserts paid orders, each with a line, an attempt and its fulfillment. */
async function fillOrders(databaseUrl: string, count: number): Promise<void> {
  await using db = openDatabase(databaseUrl, () => {});
  const at = sql`(${sql.lit(Date.now())} - cast(i as bigint) * ${sql.lit(Math.ceil(TWO_YEARS_MS / count))})`;
  for (let first = 1; first <= count; first += BATCH) {
    const last = Math.min(count, first + BATCH - 1);
    const n = sql`with recursive n(i) as
      (select cast(${sql.lit(first)} as integer) union all select i + 1 from n where i < ${sql.lit(last)})`;
    const inserts = [
      sql`insert into orders (id, number, token, cart_id, cart_version, state, version, total, currency, first_name,
          last_name, email, search_name, search_surname, shipping_option, street, interior_number, neighborhood, municipality,
          delivery_state, postal_code, phone, delivery_notes, contact_hash, locale, paid_attempt_id, created_at, updated_at,
          paid_at, confirmed_at)
        ${n} select 'order-' || i, 'TG-' || i, 'token-' || i, 'cart-' || i, 1, 'paid', 3, 28900, 'MXN', 'Eva', 'Ruiz',
          'customer' || (i % 300000) || '@example.com', 'eva ruiz', 'ruiz eva', 'none', '', '', '', '', '', '', '', '', '',
          'es-MX', 'attempt-' || i, ${at}, ${at}, ${at}, ${at} from n`,
      sql`insert into order_lines (order_id, position, product_id, name, unit_price, quantity, tax_rate)
        ${n} select 'order-' || i, 0, 'bench-0', 'Taza de talavera', 28900, 1, '16' from n`,
      sql`insert into attempts (id, order_id, ordinal, flow, state, live, environment, reference, amount, gateway_id,
          id_source, offer_ends_at, leased_until, checked_at, next_check_at, checks, created_at, updated_at)
        ${n} select 'attempt-' || i, 'order-' || i, 1, 'hosted', 'paid', null, 'bench', 'reference-' || i, 28900,
          'session-' || i, 'answer', ${at}, ${at}, ${at}, ${at}, 1, ${at}, ${at} from n`,
      sql`insert into fulfillments (order_id, attempt_id, at, stock_taken, state, version, updated_at)
        ${n} select 'order-' || i, 'attempt-' || i, ${at}, 1, 'delivered', 3, ${at} from n`,
    ];
    for (const insert of inserts) await insert.execute(db.queries);
  }
  await sql`analyze`.execute(db.queries);
}

/** Returns the version of the PostgreSQL `server`, or of SQLite. */
export async function databaseVersion(server?: string): Promise<string | undefined> {
  const folder = makeFolder();
  process.once('exit', () => rmSync(folder, { recursive: true }));
  await using database = await createDatabase(server, folder);
  await using db = openDatabase(database.url, () => {});
  const version = sql.raw<string>(server ? "current_setting('server_version')" : 'sqlite_version()');
  return (await db.queries.selectNoFrom(version.as('version')).executeTakeFirst())?.version;
}
