/**
 * Preload script for a shop (`node --import`) that simulates a power cut.
 *
 * Counts database writes after SIGUSR2 and kills the process immediately before the n-th one. The shop's code is
 * unchanged.
 */
import LibSql from 'libsql';
import pg from 'pg';

const WRITE = /^\s*(?:insert|update|delete|commit)\b/i;
const last = Number(process.argv.at(-1));
let armed = false;
let written = 0;

process.on('SIGUSR2', () => {
  armed = true;
});

function beforeWrite(sql: unknown): void {
  if (!armed || typeof sql !== 'string' || !WRITE.test(sql)) return;
  written += 1;
  if (written >= last) process.kill(process.pid, 'SIGKILL');
}

/**
 * Wraps a function so that it counts the SQL before the call. Returns `never`, because the wrapped overloads
 * cannot be expressed.
 */
function counting(perform: CallableFunction, sqlOf: (values: readonly unknown[]) => unknown): never {
  return function counted(this: unknown, ...values: unknown[]): unknown {
    beforeWrite(sqlOf(values));
    return Reflect.apply(perform, this, values);
  } as never;
}

const { prepare } = LibSql.prototype;
LibSql.prototype.prepare = function prepareCounting(this: LibSql.Database, sql: string) {
  const statement = prepare.call(this, sql);
  statement.run = counting(statement.run, () => sql);
  statement.all = counting(statement.all, () => sql);
  return statement;
} as typeof prepare;
LibSql.prototype.exec = counting(LibSql.prototype.exec, ([sql]) => sql);

pg.Client.prototype.query = counting(pg.Client.prototype.query, ([first]) =>
  typeof first === 'object' && first !== null && 'text' in first ? first.text : first,
);
