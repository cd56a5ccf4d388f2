/** Load generation: concurrent requests, requests at a fixed rate, and customers. */
import { setTimeout } from 'node:timers/promises';
import autocannon, { type Options, type Request } from 'autocannon';
import { checkoutForm } from '../../test/support/customer.js';

const FORM = 'application/x-www-form-urlencoded';
const CUSTOMER = String(new URLSearchParams(checkoutForm('bench-0')));
export const CHECKOUT = { method: 'POST', headers: { 'content-type': FORM }, body: CUSTOMER } as const;

/** Sends requests for a duration or an amount. Throws on a connection error or a status other than `expect`. */
export async function drive(options: Options, expect: number) {
  const { statusCodeStats = {}, errors, requests, duration } = await autocannon(options);
  if (errors > 0 || Object.keys(statusCodeStats).join() !== `${expect}`)
    throw new Error(`${options.url}: ${errors} errors, ${JSON.stringify(statusCodeStats)}`);
  return requests.total / duration;
}

/** Sends requests at a fixed rate, answered or not. Returns the 99th percentile of their durations in milliseconds. */
export async function p99AtRate(perSecond: number, requests: readonly (() => Promise<unknown>)[]): Promise<number> {
  const times = requests.map(async (send, index) => {
    await setTimeout((index * 1_000) / perSecond);
    const sentAt = performance.now();
    await send();
    return performance.now() - sentAt;
  });
  const sorted = (await Promise.all(times)).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}

/** Posts a form and returns the cookies. Throws on a status of 400 or more. */
export async function postForm(url: string, body: string, cookie = ''): Promise<string> {
  const headers = { 'content-type': FORM, cookie };
  const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' });
  await answer.arrayBuffer();
  if (answer.status >= 400) throw new Error(`${url}: answered ${answer.status}`);
  const cookies = answer.headers.getSetCookie().map((each) => each.split(';')[0]);
  return cookies.join('; ') || cookie;
}

/** Returns the cookies of `count` customers, each with one product in a new cart. */
export async function fillCarts(url: string, count: number): Promise<readonly string[]> {
  const fill = () => postForm(`${url}/cart/items`, 'product_id=bench-0&quantity=1');
  const cookies: string[] = [];
  while (cookies.length < count) cookies.push(...(await Promise.all(Array.from({ length: 30 }, fill))));
  return cookies.slice(0, count);
}

/** Posts the hosted checkout once per customer. `targets` holds the redirect target of every success. */
export async function checkOut(url: string, cookies: readonly string[], connections: number) {
  const queue = cookies.values();
  const targets: unknown[] = [];
  const startedAt = performance.now();
  let lastAt = startedAt;
  const request: Request = {
    ...CHECKOUT,
    setupRequest: (next) => ({ ...next, headers: { ...CHECKOUT.headers, cookie: queue.next().value ?? '' } }),
    onResponse: (status, _body, _context, headers) => {
      if (status === 302) targets.push(headers?.['Location']);
      lastAt = performance.now();
    },
  };
  const load = { url: `${url}/checkout/hosted`, connections, amount: cookies.length, requests: [request] };
  await autocannon(load);
  // autocannon rounds its duration up to whole seconds, so the rate uses the time of the last response.
  return { rate: (targets.length * 1000) / (lastAt - startedAt), targets };
}
