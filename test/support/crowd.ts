/** Concurrency helpers with limits on count and time. */
import { setTimeout as delay } from 'node:timers/promises';

/** Runs a task for each item with a concurrency of `width`. Returns the results in the order of the items. */
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

/** Creates a semaphore: at most `width` tasks run at the same time, the others wait in FIFO order. */
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

/** Returns the integers from 0 to `count` - 1. */
export function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Polls a condition. Returns `false` if it is not met within `withinMs`. */
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

/** Returns the outcome of a task. Rejects after `limitMs`; the task itself is not cancelled. */
export async function within<T>(limitMs: number, task: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = delay(limitMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`not finished after ${Math.round(limitMs / 1000)} s`);
  });
  try {
    return await Promise.race([task, late]);
  } finally {
    timer.abort();
    late.catch(() => {});
    task.catch(() => {});
  }
}
