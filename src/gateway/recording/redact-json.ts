import { addressKind, blot, type Discretion, isPrivate, pseudonymOf } from './discretion.js';
import { isHarmless, isPlainName, type Kind, kindOf } from './harmless.js';

/** No answer of the contract is nested as deeply. */
const DEEPEST = 12;

interface Place {
  /** By the name of the member; absent in lists and for names nobody knows. */
  readonly kind?: Kind | undefined;
  readonly depth: number;
}

/**
 * A JSON value with its names and types, and of its values only what is known to be harmless. Ids become pseudonyms,
 * numbers 0, texts `‹text of 12›`; booleans and null stay.
 */
export function redactJson(value: unknown, discretion: Discretion): unknown {
  return redacted(value, { depth: 0 }, discretion);
}

function redacted(value: unknown, place: Place, discretion: Discretion): unknown {
  if (typeof value === 'string' || typeof value === 'number') return scalar(value, place.kind, discretion);
  if (typeof value !== 'object' || value === null) return value;
  const depth = place.depth + 1;
  if (Array.isArray(value))
    return depth > DEEPEST ? [] : value.map((item) => redacted(item, { depth }, discretion));
  const members = depth > DEEPEST ? [] : Object.entries(value);
  // From entries, so that even `__proto__` stays a member.
  return Object.fromEntries(
    members.map(([name, member]) => [
      nameOf(name, discretion),
      redacted(member, { kind: kindOf(name), depth }, discretion),
    ]),
  );
}

function nameOf(name: string, discretion: Discretion): string {
  return isPlainName(name) && !isPrivate(name, discretion) ? name : `‹name of ${name.length}›`;
}

function scalar(value: string | number, kind: Kind | undefined, discretion: Discretion): string | number {
  if (kind === 'id') return pseudonymOf(value, discretion);
  if (kind === 'address' && typeof value === 'string') return addressKind(value, discretion);
  if (kind && isHarmless(kind, value) && !isPrivate(String(value), discretion)) return value;
  return typeof value === 'number' ? 0 : blot(value);
}
