/** Many things at once, bounded in number and in time. */
import { setTimeout as delay } from 'node:timers/promises';

/** Runs a task for each item, `width` at a time, and gives the results in the items' order. */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  task: (item: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const lane = async () => {
    for (const [index, item] of queue) results[index] = await task(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  return results;
}

/** Lets `width` tasks through at a time; the others wait for their turn. */
export function createGate(width: number): <T>(task: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = [];
  let free = width;
  return async (task) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await task();
    } finally {
      const next = queue.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/** The whole numbers from 0 up to, not including, `count`. */
export function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Waits for a condition; `false` when it did not come true in time. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { withinMs, everyMs = 100 }: { readonly withinMs: number; readonly everyMs?: number },
): Promise<boolean> {
  const endsAt = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > endsAt) return false;
    await delay(everyMs);
  }
  return true;
}

/** The outcome of a task, or a rejection when it takes too long; the task itself is left behind. */
export async function within<T>(limitMs: number, task: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = delay(limitMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`not done after ${Math.round(limitMs / 1000)} s`);
  });
  try {
    return await Promise.race([task, late]);
  } finally {
    timer.abort();
    late.catch(() => {});
    task.catch(() => {});
  }
}
