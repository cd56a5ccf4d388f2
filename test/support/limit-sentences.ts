import { expect } from '@jest/globals';
import type { Response } from 'supertest';
import { customerAt } from './addresses.js';
import type { Customer } from './customer.js';
import { isOffered } from './locales.js';

/** What a page says when a limit refuses a form, by locale. */
const SENTENCES: [string, RegExp][] = [
  ['es-MX', /Hubo demasiados intentos\. Espera (\d+) segundos y vuelve a intentarlo\./],
  ['en', /There were too many attempts\. Wait (\d+) seconds and try again\./],
];
export const LIMIT_SENTENCES = SENTENCES.filter(isOffered);

/** A browser with this locale at an address of its own. */
export function browserAt(address: string, at: { readonly url: string }, locale: string): Customer {
  const customer = customerAt(address, at);
  customer.agent.set({ 'Accept-Language': locale, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Site': 'same-origin' });
  return customer;
}

/** Sends the same request several times. Returns the last answer. */
export async function repeat(times: number, send: () => Promise<Response>): Promise<Response> {
  for (let time = 1; time < times; time += 1) await send();
  return send();
}

/** Expects the answer of a limit: its sentence with the seconds of `Retry-After`. */
export function expectLimited({ status, text, headers }: Response, sentence: RegExp): void {
  expect([status, sentence.exec(text)?.[1]]).toEqual([429, headers['retry-after']]);
}
