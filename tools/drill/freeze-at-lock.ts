/**
 * Preload script for a shop with PostgreSQL (`node --import`) that freezes the process once while it holds locks.
 *
 * After SIGUSR2 it waits for a transaction that locks products, and stops the process before its next statement. The
 * shop's code is unchanged. SIGCONT continues the process.
 */
import pg from 'pg';

const LOCK = /\bproducts\b.*\bfor update\b/is;
let armed = false;
const holding = new WeakSet<object>();

process.on('SIGUSR2', () => {
  armed = true;
});

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function queryFreezing(this: pg.Client, ...values: unknown[]): unknown {
  if (armed && holding.has(this)) {
    armed = false;
    process.kill(process.pid, 'SIGSTOP');
  }
  const [sql] = values;
  if (armed && typeof sql === 'string' && LOCK.test(sql)) holding.add(this);
  return Reflect.apply(query, this, values);
} as never;
