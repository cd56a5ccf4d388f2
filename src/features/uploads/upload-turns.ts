/** Turns of uploads. A body is read when its turn comes, so that unfinished uploads need no memory. */

/** Bodies in memory. */
const MAX_BODIES = 3;
/** Uploads of one session that are read or wait, so that one session leaves a turn for others. */
const MAX_PER_SESSION = 2;
/** Longest wait for a turn, in milliseconds. */
const WAIT_MS = 10_000;

let free = MAX_BODIES;
/** The uploads that wait, the first one first. */
const waiting = new Set<() => void>();
const countsBySession = new Map<string, number>();

/** Runs the work of an upload in its turn. Returns `busy`, and does not run it, if the session has two or no turn comes in 10 s. */
export async function inUploadTurn(
  sessionId: string,
  work: () => Promise<void>,
  waitMs = WAIT_MS,
): Promise<'done' | 'busy'> {
  const count = countsBySession.get(sessionId) ?? 0;
  if (count >= MAX_PER_SESSION) return 'busy';
  countsBySession.set(sessionId, count + 1);
  try {
    if (!(await takeTurn(waitMs))) return 'busy';
    try {
      await work();
      return 'done';
    } finally {
      endTurn();
    }
  } finally {
    const left = (countsBySession.get(sessionId) ?? 1) - 1;
    if (left > 0) countsBySession.set(sessionId, left);
    else countsBySession.delete(sessionId);
  }
}

/** Resolves with false if no turn comes in time. */
function takeTurn(waitMs: number): Promise<boolean> {
  if (free > 0) {
    free -= 1;
    return Promise.resolve(true);
  }
  return new Promise((resolve) => {
    const begin = () => {
      clearTimeout(timer);
      resolve(true);
    };
    const timer = setTimeout(() => {
      waiting.delete(begin);
      resolve(false);
    }, waitMs);
    waiting.add(begin);
  });
}

/** Passes the turn to the upload that waits longest. */
function endTurn(): void {
  const [next] = waiting;
  if (!next) {
    free += 1;
    return;
  }
  waiting.delete(next);
  next();
}
