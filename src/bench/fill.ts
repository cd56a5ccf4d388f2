/** A shop that has sold for two years: so many orders, written by the database itself. */
import { type RawBuilder, sql } from 'kysely';
import { openDatabase } from '../store/database.js';

const TWO_YEARS_MS = 730 * 24 * 60 * 60 * 1000;
/** As many as any database writes in one statement before the shop's own patience with a statement ends. */
const AT_ONCE = 25_000;

/** Migrates the database and fills it. Most orders are paid; each has a line, an attempt and two lines of history. */
export async function fillOrders(databaseUrl: string, count: number): Promise<void> {
  await using db = openDatabase(databaseUrl, () => {});
  await db.migrate();
  const now = Date.now();
  const step = Math.max(1, Math.floor(TWO_YEARS_MS / count));
  for (let first = 1; first <= count; first += AT_ONCE) {
    const last = Math.min(count, first + AT_ONCE - 1);
    for (const statement of ordersWritten({ first, last, now, step })) await statement.execute(db.queries);
  }
  await sql`analyze`.execute(db.queries);
}

interface Stretch {
  readonly first: number;
  readonly last: number;
  readonly now: number;
  /** Milliseconds from one order to the next. */
  readonly step: number;
}

/** The statements that write the orders with these numbers, and what belongs to them. */
function ordersWritten({ first, last, now, step }: Stretch): readonly RawBuilder<unknown>[] {
  const numbers = sql`with recursive n(i) as
    (select cast(${sql.lit(first)} as integer) union all select i + 1 from n where i < ${sql.lit(last)})`;
  const at = sql`(${sql.lit(now)} - cast(i as bigint) * ${sql.lit(step)})`;
  const paid = sql`i % 100 < 92`;
  return [
    sql`insert into orders (id, number, token, cart_id, cart_version, state, version, total, currency,
        first_name, last_name, email, locale, paid_attempt_id, created_at, updated_at, paid_at)
      ${numbers} select 'order-' || i,
        'TG-' || substr(cast(10000000 + i as text), 1, 4) || '-' || substr(cast(10000000 + i as text), 5, 4),
        'token-' || i, 'cart-' || i, 1,
        case when ${paid} then 'paid' when i % 100 < 97 then 'expired' else 'declined' end,
        3, 28900, 'MXN', 'Eva', 'Ruiz', 'shopper' || (i % 300000) || '@example.com', 'es-MX',
        case when ${paid} then 'attempt-' || i end, ${at}, ${at}, case when ${paid} then ${at} end from n`,
    sql`insert into order_lines (order_id, position, product_id, name, unit_price, quantity)
      ${numbers} select 'order-' || i, 0, 'taza-talavera', 'Taza de Talavera', 28900, 1 from n`,
    sql`insert into attempts (id, order_id, ordinal, kind, state, live, environment, reference, amount, service_id,
        expires_at, claimed_until, checked_at, next_check_at, checks, created_at, updated_at)
      ${numbers} select 'attempt-' || i, 'order-' || i, 1, 'hosted', case when ${paid} then 'paid' else 'expired' end,
        null, 'bench', 'reference-' || i, 28900, 'session-' || i, ${at}, ${at}, ${at}, ${at}, 1, ${at}, ${at} from n`,
    sql`insert into order_events (order_id, at, kind, detail)
      ${numbers} select 'order-' || i, ${at}, 'placed', '{"total":28900}' from n`,
    sql`insert into order_events (order_id, at, kind, detail)
      ${numbers} select 'order-' || i, ${at}, 'moved', '{"from":"pending","to":"paid"}' from n`,
    sql`insert into fulfilments (order_id, attempt_id, at)
      ${numbers} select 'order-' || i, 'attempt-' || i, ${at} from n where ${paid}`,
  ];
}
