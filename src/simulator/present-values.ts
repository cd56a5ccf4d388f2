/** Puts what is true now where a recording has its pseudonyms, blots and amounts. */
import { isRecord } from './validate.js';

export interface Amounts {
  readonly before: number;
  readonly after: number;
}

export interface Present {
  /** Recorded pseudonym → what stands for it now. */
  readonly names: ReadonlyMap<string, string>;
  /** What was asked for then, and what is asked for now; absent when no amount is known. */
  readonly amounts?: Amounts | undefined;
  /** Where an address leads that a shopper could be sent to: the service's own page, or any other site. */
  readonly page: string;
  readonly elsewhere: string;
}

const blot = /^‹text of (\d{1,7})›$/;
const addressed = /^‹(page|web|unsafe) address of (\d{1,7})›$/;
const amountNames: readonly string[] = ['amount', 'amount_total'];

/** The recorded JSON as it would be said now, with every equality and difference that it had. */
export function presentJson(json: unknown, present: Present): unknown {
  if (typeof json === 'string') return presentText(json, present);
  if (Array.isArray(json)) return json.map((item) => presentJson(item, present));
  if (!isRecord(json)) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name, presentMember(name, value, present)]),
  );
}

/** Which pseudonyms of a recorded request stand for which texts of the present one. */
export function namesBetween(then: unknown, now: unknown): readonly (readonly [string, string])[] {
  if (typeof then === 'string')
    return typeof now === 'string' && then.startsWith('‹id ') ? [[then, now]] : [];
  if (!isRecord(then) || !isRecord(now)) return [];
  return Object.entries(then).flatMap(([name, value]) => namesBetween(value, now[name]));
}

/** What two requests asked for, if both say so. */
export function amountsBetween(then: unknown, now: unknown): Amounts | undefined {
  const [before, after] = [amountIn(then), amountIn(now)];
  return before === undefined || after === undefined ? undefined : { before, after };
}

/** An amount as far from what is asked for now as it was from what was asked for then. */
export function movedAmount(value: number | string, { before, after }: Amounts): number | string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value));
  if (parts === null) return value;
  const moved = millionths(String(value)) + millionths(String(after)) - millionths(String(before));
  if (typeof value === 'number') return Number(textOf(moved, 6));
  return textOf(moved, Math.max(parts[3]?.length ?? 0, String(after).split('.')[1]?.length ?? 0));
}

function amountIn(body: unknown): number | undefined {
  const amount = isRecord(body) ? (body['amount_total'] ?? body['amount']) : undefined;
  return typeof amount === 'number' ? amount : undefined;
}

function presentMember(name: string, value: unknown, present: Present): unknown {
  const isAmount = typeof value === 'number' || (typeof value === 'string' && !value.startsWith('‹'));
  if (isAmount && amountNames.includes(name) && present.amounts !== undefined)
    return movedAmount(value, present.amounts);
  return presentJson(value, present);
}

function presentText(text: string, { names, page, elsewhere }: Present): string {
  const [, length] = blot.exec(text) ?? [];
  if (length !== undefined) return 'x'.repeat(Number(length));
  const [, kind, size = '0'] = addressed.exec(text) ?? [];
  if (kind === 'page') return page;
  if (kind === 'web') return elsewhere;
  if (kind === 'unsafe') return 'unsafe:'.padEnd(Number(size), 'x');
  return names.get(text) ?? text;
}

function millionths(text: string): bigint {
  const [, sign, whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const size = BigInt(whole) * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
  return sign === '-' ? -size : size;
}

function textOf(size: bigint, decimals: number): string {
  const digits = String(size < 0n ? -size : size).padStart(7, '0');
  const fraction = digits.slice(-6).slice(0, decimals);
  return `${size < 0n ? '-' : ''}${digits.slice(0, -6)}${fraction === '' ? '' : `.${fraction}`}`;
}
