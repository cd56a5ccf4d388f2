/** Visitors with something in their cart, made by the shop itself. */
import { exchange } from '../drill/http.js';
import { drive, type Figures, type Load } from './load.js';

/** What a form's request says of itself. */
export const FORM = { 'content-type': 'application/x-www-form-urlencoded' } as const;
const CONTACT = 'first_name=Eva&last_name=Ruiz&email=eva%40example.com';

/** The cookies of so many visitors, each with one thing in a new cart. */
export async function fillCarts(url: string, count: number): Promise<readonly string[]> {
  const cookies: string[] = [];
  const request = { method: 'POST', headers: FORM, body: 'product_id=taza-talavera&quantity=1' } as const;
  await drive({
    ...{ url: `${url}/cart/items`, connections: 32, until: { requests: count }, request, expect: 303 },
    onAnswer: (headers) => {
      const cookie = cookieOf(headers['set-cookie']);
      if (cookie !== undefined) cookies.push(cookie);
    },
  });
  return cookies;
}

/** One visitor with three different things in the cart. */
export async function cartOfThree(url: string): Promise<string> {
  let cookie = '';
  for (const id of ['taza-talavera', 'rebozo-santa-maria', 'cafe-chiapas']) {
    const headers = { ...FORM, ...(cookie !== '' && { cookie }) };
    const reply = await exchange(url, '/cart/items', {
      method: 'POST',
      headers,
      body: `product_id=${id}&quantity=1`,
    });
    cookie = cookieOf(reply.headers['set-cookie']) ?? cookie;
  }
  return cookie;
}

function cookieOf(header: unknown): string | undefined {
  const first = Array.isArray(header) ? header[0] : header;
  return typeof first === 'string' ? first.split(';')[0] : undefined;
}

/** Everybody presses the button, each once; every one must be led to a payment page. */
export function checkOut(
  url: string,
  cookies: readonly string[],
  load: Pick<Load, 'connections'> & Partial<Pick<Load, 'onAnswer'>>,
): Promise<Figures> {
  const queue = cookies.values();
  return drive({
    ...load,
    url: `${url}/checkout/hosted`,
    until: { requests: cookies.length },
    request: { method: 'POST', headers: FORM, body: CONTACT },
    next: () => ({ headers: { ...FORM, cookie: queue.next().value ?? '' } }),
    expect: 302,
  });
}
