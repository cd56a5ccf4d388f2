import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exchange } from '../drill/http.js';

/** Lets `work` use the bytes of one page of the shop as a file, for the programs that only send them. */
export async function withPage<Result>(
  address: string,
  work: (file: string) => Promise<Result>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'tianguis-bench-page-'));
  try {
    const { origin, pathname } = new URL(address);
    const { status, text } = await exchange(origin, pathname, { headers });
    if (status !== 200) throw new Error(`${pathname} was answered ${status}`);
    const file = join(folder, 'page.html');
    writeFileSync(file, text);
    return await work(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
