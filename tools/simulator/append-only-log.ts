/** An append-only file with one JSON record per line. */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Without a folder, nothing is stored. */
export class AppendOnlyLog {
  /** The records that the file contained when it was opened. */
  readonly records: readonly unknown[];
  readonly #file: number | undefined;
  readonly #durable: boolean;

  /** `durable`: each record is on disk when `append` returns. */
  constructor(folder: string | undefined, name: string, { durable }: { readonly durable: boolean }) {
    this.#durable = durable;
    this.records = [];
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    const path = join(folder, name);
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    this.records = text.split('\n').flatMap(parseLine);
    this.#file = openSync(path, 'a', 0o600);
    // A crash may have left an incomplete last line. A new record must not be appended to it.
    if (text !== '' && !text.endsWith('\n')) writeSync(this.#file, '\n');
  }

  append(record: unknown): void {
    if (this.#file === undefined) return;
    writeSync(this.#file, `${JSON.stringify(record)}\n`);
    if (this.#durable) fsyncSync(this.#file);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}

function parseLine(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
