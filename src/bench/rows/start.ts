/** How soon the built shop shows its first page, what it weighs, and what it holds in memory. */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Finding, judge, median, round } from '../finding.js';
import { drive } from '../load.js';
import { startShop } from '../programs.js';
import type { Row } from '../row.js';

const MEBIBYTE = 1024 * 1024;
const HITS = 100_000;
const MOST_MEMORY = 150;
/** Between the half and the end, what a page leaves behind would add up to far more. */
const FLAT = 1.1;

export const start: Row = {
  id: 'start',
  says: 'from the start of the built shop to its first page',
  async measure({ rounds }) {
    const times: number[] = [];
    for (let turn = 0; turn < rounds; turn += 1) {
      await using shop = await startShop();
      times.push(shop.firstPageMs);
    }
    const ms = median(times);
    const figure = `${round(ms)} ms`;
    return [
      {
        what: 'first page',
        figure,
        bar: '≤ 1,000 ms',
        verdict: judge(ms <= 1_000, [times]),
        numbers: { ms },
      },
    ];
  },
};

export const memory: Row = {
  id: 'memory',
  says: `${round(HITS)} visits without a cookie`,
  async measure() {
    await using shop = await startShop();
    const sizes = [(await shop.read()).residentBytes];
    let delay = 0;
    for (let part = 0; part < 4; part += 1) {
      await drive({ url: shop.url, connections: 32, until: { requests: HITS / 4 }, expect: 200 });
      const { residentBytes, loopDelayP99Ms } = await shop.read();
      sizes.push(residentBytes);
      delay = Math.max(delay, loopDelayP99Ms);
    }
    const [before = 0, , half = 0, , after = 0] = sizes.map((bytes) => bytes / MEBIBYTE);
    return [
      {
        what: 'memory',
        figure: `${round(before)} MB at first, ${round(half)} half way, ${round(after)} after`,
        bar: `≤ ${MOST_MEMORY} MB, and flat`,
        verdict: after <= MOST_MEMORY && after <= half * FLAT ? 'holds' : 'misses',
        numbers: { before, half, after },
      },
      { what: 'lateness of the event loop, p99', figure: `${round(delay)} ms`, numbers: { delay } },
    ];
  },
};

export const size: Row = {
  id: 'size',
  says: 'what a deployed shop carries',
  measure: () => Promise.resolve([weigh()]),
};

/** The packages that run, with those that they need in turn. */
function weigh(): Finding {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const listed = spawnSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], {
    cwd: root,
    encoding: 'utf8',
  });
  const [, ...folders] = listed.stdout.trim().split('\n');
  const bytes = folders.reduce((sum, folder) => sum + bytesOf(folder), 0);
  const megabytes = bytes / MEBIBYTE;
  return {
    what: 'packages at run time',
    figure: `${folders.length} packages, ${round(megabytes)} MB`,
    numbers: { packages: folders.length, megabytes },
  };
}

function bytesOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .reduce((sum, entry) => {
      const path = join(folder, entry.name);
      return sum + (entry.isDirectory() ? bytesOf(path) : statSync(path).size);
    }, 0);
}
