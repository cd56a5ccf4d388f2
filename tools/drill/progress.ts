/** Progress line of the drill. A terminal shows one line that is updated; a file or pipe receives repeated lines. */
import { clearLine, cursorTo } from 'node:readline';

const TERMINAL_MS = 1_000;
const PLAIN_MS = 10_000;

export interface Progress {
  began(id: string): void;
  /** Prints the result of a scenario above the progress line. */
  ended(id: string, lines: string): void;
  /** Stops the updates and clears the line on a terminal. */
  stop(): void;
}

/** Starts the progress line for `total` scenarios. */
export function showProgress(out: NodeJS.WriteStream, total: number): Progress {
  const startedAt = performance.now();
  const playing = new Set<string>();
  let done = 0;
  const line = () => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    return `${done} of ${total} done, ${seconds} s: ${[...playing].join(', ')}`;
  };
  const erase = () => {
    if (!out.isTTY) return;
    cursorTo(out, 0);
    clearLine(out, 0);
  };
  const draw = () => {
    erase();
    // A longer line would wrap, and only its last row can be cleared.
    out.write(out.isTTY ? line().slice(0, (out.columns || 80) - 1) : `${line()}\n`);
  };
  const timer = setInterval(draw, out.isTTY ? TERMINAL_MS : PLAIN_MS);
  return {
    began(id) {
      playing.add(id);
      draw();
    },
    ended(id, lines) {
      playing.delete(id);
      done += 1;
      erase();
      out.write(`${lines}\n`);
      if (out.isTTY) draw();
    },
    stop() {
      clearInterval(timer);
      erase();
    },
  };
}
