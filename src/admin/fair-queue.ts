interface Waiting {
  readonly rank: number;
  readonly begin: (isStarted: boolean) => void;
}

/** Runs a task in its turn, and returns its result. `undefined` if too many tasks wait, or its turn did not come: it did not run. */
export type FairQueue = <T>(rank: number, task: () => Promise<T>) => Promise<T | undefined>;

/**
 * Fair queue: runs one task at a time, next one of the lowest rank. The rank is how often the client of a task has used the
 * queue lately, so that a client with many tasks does not delay the others. Of equal ranks the oldest and the newest task
 * take turns: neither a burst nor a steady stream of new clients keeps another one waiting. Above `maxWaiting` the oldest
 * task of the highest rank is refused, and so is a task that waited for `maxWaitMs` milliseconds.
 */
export function fairQueue(maxWaiting: number, maxWaitMs: number): FairQueue {
  const waiting: Waiting[] = [];
  let isBusy = false;
  let takesNewest = false;
  const remove = (at: number, isStarted: boolean) => waiting.splice(at, 1)[0]?.begin(isStarted);
  const hasRank = (rank: number) => (each: Waiting) => each.rank === rank;

  function waitForTurn(rank: number): Promise<boolean> {
    return new Promise((resolve) => {
      const each: Waiting = {
        rank,
        begin(isStarted) {
          clearTimeout(timer);
          resolve(isStarted);
        },
      };
      const timer = setTimeout(() => remove(waiting.indexOf(each), false), maxWaitMs);
      waiting.push(each);
      const highest = Math.max(...waiting.map((each) => each.rank));
      if (waiting.length > maxWaiting) remove(waiting.findIndex(hasRank(highest)), false);
    });
  }
  function startNext(): void {
    isBusy = waiting.length > 0;
    const lowest = hasRank(Math.min(...waiting.map(({ rank }) => rank)));
    takesNewest = !takesNewest;
    remove(takesNewest ? waiting.findLastIndex(lowest) : waiting.findIndex(lowest), true);
  }
  return async (rank, task) => {
    if (isBusy && !(await waitForTurn(rank))) return undefined;
    isBusy = true;
    try {
      return await task();
    } finally {
      startNext();
    }
  };
}
