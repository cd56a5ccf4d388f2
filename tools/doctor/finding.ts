/** Findings of the doctor. A finding never contains a secret. */

/** Severity levels, most severe first. */
export const LEVELS = ['error', 'warning', 'note', 'ok'] as const;
export type Level = (typeof LEVELS)[number];

/** What is wrong, why it matters and how to fix it. */
export interface Trouble {
  readonly what: string;
  readonly why: string;
  readonly mend: string;
}

export type Verdict =
  | { readonly level: 'ok'; readonly what: string }
  | ({ readonly level: 'error' | 'warning' | 'note' } & Trouble);

export type Finding = Verdict & {
  /** Name of the check. */
  readonly check: string;
};

/** Returns the result of a check without problems. */
export function ok(what: string): Verdict {
  return { level: 'ok', what };
}

/** Returns an information that needs no action. */
export function note(trouble: Trouble): Verdict {
  return { level: 'note', ...trouble };
}

/** Returns a problem that does not stop the shop from selling. */
export function warning(trouble: Trouble): Verdict {
  return { level: 'warning', ...trouble };
}

/** Returns a problem that prevents sales or makes them unsafe. */
export function error(trouble: Trouble): Verdict {
  return { level: 'error', ...trouble };
}

/** Returns an error in production and a warning in development. */
export function graver(production: boolean, trouble: Trouble): Verdict {
  return production ? error(trouble) : warning(trouble);
}
