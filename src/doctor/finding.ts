/** What the doctor tells. Never holds a secret. */

/** In the order in which they are to be minded. */
export const LEVELS = ['error', 'warning', 'note', 'ok'] as const;
export type Level = (typeof LEVELS)[number];

/** What is wrong, why it matters, and how to mend it. */
export interface Trouble {
  readonly what: string;
  readonly why: string;
  readonly mend: string;
}

export type Verdict =
  | { readonly level: 'ok'; readonly what: string }
  | ({ readonly level: 'error' | 'warning' | 'note' } & Trouble);

export type Finding = Verdict & {
  /** The check that told it. */
  readonly check: string;
};

export function ok(what: string): Verdict {
  return { level: 'ok', what };
}

/** Worth knowing; nothing is wrong. */
export function note(trouble: Trouble): Verdict {
  return { level: 'note', ...trouble };
}

/** The shop runs, and not as it should. */
export function warning(trouble: Trouble): Verdict {
  return { level: 'warning', ...trouble };
}

/** The shop cannot sell like this, or not safely. */
export function error(trouble: Trouble): Verdict {
  return { level: 'error', ...trouble };
}

/** An error where real money moves, a warning while developing. */
export function graver(production: boolean, trouble: Trouble): Verdict {
  return production ? error(trouble) : warning(trouble);
}
