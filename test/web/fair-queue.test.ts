import { expect, test } from '@jest/globals';
import { fairQueue } from '../../src/admin/fair-queue.js';

/** Runs tasks with these ranks in a queue that is busy. Returns the places of those that ran, in order, and of the refused. */
async function order(ranks: readonly number[], maxWaiting = 9) {
  const run = fairQueue(maxWaiting, 60_000);
  let end = () => {};
  const busy = run(0, () => new Promise<void>((resolve) => (end = resolve)));
  const ran: number[] = [];
  const results = ranks.map((rank, place) => run(rank, async () => ran.push(place)));
  end();
  await busy;
  const refused = (await Promise.all(results)).flatMap((result, place) => (result === undefined ? [place] : []));
  return { ran, refused };
}

test.each([
  ['the client with the fewest uses is next', [3, 2, 0, 1], [2, 3, 1, 0]],
  ['of equal clients the newest and the oldest take turns', [0, 0, 0, 0, 1], [3, 0, 2, 1, 4]],
  ['a quiet client goes before many tries of others', [1, 2, 3, 4, 5, 0], [5, 0, 1, 2, 3, 4]],
])('%s', async (_, ranks, expected) => {
  expect(await order(ranks)).toEqual({ ran: expected, refused: [] });
});

test('a full queue refuses the task of the client with the most uses, and no quiet client', async () => {
  expect(await order([5, 4, 6, 0, 4, 9], 3)).toEqual({ ran: [3, 1, 4], refused: [0, 2, 5] });
});

test('a task whose turn does not come in time is refused, and does not run later', async () => {
  const run = fairQueue(9, 0);
  let end = () => {};
  const busy = run(0, () => new Promise<void>((resolve) => (end = resolve)));
  const ran: string[] = [];

  expect(await run(0, async () => ran.push('late'))).toBeUndefined();
  end();
  await busy;
  expect(ran).toEqual([]);
});

test('a task that throws passes the turn on', async () => {
  const run = fairQueue(1, 60_000);

  const failed = run(0, () => Promise.reject(new Error('broken')));
  const next = run(0, async () => 'done');

  await expect(failed).rejects.toThrow('broken');
  expect([await next, await run(0, async () => 'later')]).toEqual(['done', 'later']);
});
