/** Expected values of a response, and the description of differences. Pure. */
import { isDeepStrictEqual } from 'node:util';

export interface Expectation {
  readonly words: string;
  holds(value: unknown): boolean;
  /** A difference shows the type of the value and not the value. */
  readonly secret?: boolean;
}

/** One difference between the interface and the gateway. */
export interface Deviation {
  /** The member of the response, or the case. */
  readonly at: string;
  readonly expected: string;
  readonly found: string;
}

export const text: Expectation = {
  words: 'a text',
  holds: (value) => typeof value === 'string' && value !== '',
};
export const secretText: Expectation = { ...text, secret: true };
export const number: Expectation = { words: 'a number', holds: Number.isFinite };
export const whole: Expectation = { words: 'a whole number', holds: Number.isSafeInteger };
export const object: Expectation = { words: 'an object', holds: isRecord };
export const uuid: Expectation = {
  words: 'a UUID',
  holds: (value) => typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value),
};
export const webAddress: Expectation = {
  words: 'an https address (http on this machine only)',
  holds: (value) =>
    typeof value === 'string' && /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1)[:/])\S+$/.test(value),
};
export const isoTime: Expectation = {
  words: 'a time in ISO 8601, UTC',
  holds: (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)$/.test(value),
};

const DAY_MS = 86_400_000;
/** Distinguishes milliseconds from seconds. Tolerates a clock skew of one day. */
export const millisecondsOfToday: Expectation = {
  words: 'Unix milliseconds of this moment',
  holds: (value) => Number.isSafeInteger(value) && Math.abs(Number(value) - Date.now()) < DAY_MS,
};

/** Expects a deeply equal value. */
export function exactly(wanted: unknown): Expectation {
  return { words: JSON.stringify(wanted), holds: (value) => isDeepStrictEqual(value, wanted) };
}

/** Expects an object with these members. Additional members are allowed. */
export function containing(wanted: Readonly<Record<string, unknown>>): Expectation {
  return {
    words: `an object with ${JSON.stringify(wanted)}`,
    holds: (value) =>
      isRecord(value) &&
      Object.entries(wanted).every(([name, member]) => isDeepStrictEqual(value[name], member)),
  };
}

/** Expects a whole number from `least` to `most`, both included. */
export function between(least: number, most: number): Expectation {
  return {
    words: `a whole number between ${least} and ${most}`,
    holds: (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
  };
}

/** Makes an expectation optional: a missing member is allowed. */
export function ifThere(expectation: Expectation): Expectation {
  return { ...expectation, holds: (value) => value === undefined || expectation.holds(value) };
}

/** Returns a difference for each member of a response that is not as expected. */
export function compareMembers(
  json: unknown,
  expectations: Readonly<Record<string, Expectation>>,
): readonly Deviation[] {
  if (!isRecord(json)) return [{ at: 'body', expected: 'a JSON object', found: shown(json) }];
  return Object.entries(expectations).flatMap(([name, expectation]) =>
    compare(name, json[name], expectation),
  );
}

/** Returns one difference if the value is not as expected, else none. */
export function compare(at: string, value: unknown, expectation: Expectation): readonly Deviation[] {
  if (expectation.holds(value)) return [];
  const found = expectation.secret ? `a value of type ${typeof value}` : shown(value);
  return [{ at, expected: expectation.words, found }];
}

/** Returns a member of a response, or `undefined`. */
export function member(json: unknown, name: string): unknown {
  return isRecord(json) ? json[name] : undefined;
}

const LONGEST = 200;

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const told = JSON.stringify(value);
  return told.length > LONGEST ? `${told.slice(0, LONGEST)}…` : told;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
