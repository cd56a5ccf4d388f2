/** Requests that do not come from the gateway, or name what is not theirs. Each is sent for an order that was not paid. */
import { processInbox } from '../../../packages/payments/src/process-inbox.js';
import { Customer } from '../../support/customer.js';
import { openHostedPage, openPaidPage } from '../../support/purchase.js';
import type { TestShop } from '../../support/test-shop.js';
import { postEvent, statesOf } from './play.js';

type Page = Awaited<ReturnType<typeof openHostedPage>>;

interface Attack {
  readonly shop: TestShop;
  /** Of the order that was not paid. */
  readonly own: Page;
  /** Of another order, which is paid at the gateway. */
  readonly other: Page;
}

const claim = (id: string, more: object = {}) => ({
  action: 'session.completed',
  status: 'completed',
  data: { id, ...more },
});
const get = async ({ shop }: Attack, path: string) => (await new Customer(shop).get(path)).status;

const FORGERIES: Readonly<Record<string, (attack: Attack) => Promise<number>>> = {
  'webhook without credentials': ({ shop, own }) => postEvent(shop.url, claim(own.session), {}),
  'webhook with a wrong token': ({ shop, own }) =>
    postEvent(shop.url, claim(own.session), { authorization: 'Bearer wrong' }),
  'authentic webhook that says “paid”': ({ shop, own }) => postEvent(shop.url, claim(own.session)),
  'authentic webhook with an id of no attempt': ({ shop }) => postEvent(shop.url, claim('cs_1_2_unknown')),
  'authentic webhook with this order’s reference and the other order’s paid id': async ({ shop, own, other }) =>
    postEvent(shop.url, claim(other.session, { external_id: await referenceOf(shop, own) })),
  'return that says “paid” in its address': (attack) =>
    get(attack, `${attack.own.returnPath}?status=success&transaction_status=Success&amount=28900`),
  'return with the other order’s paid id': (attack) =>
    get(attack, `${attack.own.returnPath}?session_id=${attack.other.session}`),
  'return with an unknown token': (attack) => get(attack, `/checkout/return/${'A'.repeat(22)}`),
};

async function referenceOf({ queries }: TestShop, { orderId }: Page): Promise<string> {
  const query = queries.selectFrom('attempts').select('reference').where('orderId', '=', orderId);
  return (await query.executeTakeFirstOrThrow()).reference;
}

/** Returns for each request: its answer, the lookups that it causes, and the states of both orders. */
export async function forgeryRows(shop: TestShop): Promise<readonly (readonly string[])[]> {
  const rows: string[][] = [];
  for (const [name, send] of Object.entries(FORGERIES)) {
    await shop.reset();
    const attack = { shop, own: await openHostedPage(shop), other: await openPaidPage(shop) };
    shop.clock.advance(5_000);
    const status = await send(attack);
    await processInbox(shop.checkout);
    const lookups = shop.control.calls().filter(({ method }) => method === 'GET');
    const states = await Promise.all([attack.own, attack.other].map(({ orderId }) => statesOf(shop, orderId)));
    rows.push([name, String(status), String(lookups.length), ...states]);
  }
  return rows;
}
