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

/** Returns the integers from 0 to `count` - 1. */
export function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Polls a condition. Throws if it is not met in time. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { withinMs = 30_000, everyMs = 10 }: { readonly withinMs?: number; readonly everyMs?: number } = {},
): Promise<void> {
  const endsAt = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > endsAt) throw new Error(`not met within ${withinMs} ms: ${condition}`);
    await delay(everyMs);
  }
}

/** Returns the outcome of a task. Rejects after `limitMs`; the task itself is not cancelled. */
export async function within<T>(limitMs: number, task: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not finished after ${limitMs / 1000} s`)), limitMs);
  });
  try {
    return await Promise.race([task, late]);
  } finally {
    clearTimeout(timer);
    task.catch(() => {});
  }
}
