/**
 * Loaded into a shop before its own program (`node --import`): from SIGUSR2 on it counts what is written to the
 * database, and ends the process, as a power cut would, right before the n-th write. The shop knows nothing of it.
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

/** A function that counts what it is given before it does its work; its many signatures are passed on as they came. */
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
