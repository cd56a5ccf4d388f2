/** Turns of the corrections of searches: each reads the whole catalog several times. */

/** Corrections that run or wait. */
const MAX_CORRECTIONS = 6;

let count = 0;
let last: Promise<unknown> = Promise.resolve();

/** Runs one correction after another in this process. Returns `undefined`, and does not run it, if five wait already. */
export async function inCorrectionTurn<T>(correct: () => Promise<T>): Promise<T | undefined> {
  if (count >= MAX_CORRECTIONS) return undefined;
  count += 1;
  const turn = last.then(correct);
  // The next turn comes after a failed one, too.
  last = turn.catch(() => {});
  try {
    return await turn;
  } finally {
    count -= 1;
  }
}
