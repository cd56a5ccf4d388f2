import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, test } from '@jest/globals';
import { LOG_FIELDS } from '../../src/shop/rules/event-log.js';
import { mugDelivery } from '../support/customer.js';
import { allAttempts, allOrders } from '../support/inspect.js';
import { CARDS, openHostedPage, payAndReturn, payByCard } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';
import { API_KEY } from '../support/test-shop.js';

type Message = Readonly<Record<string, unknown>>;

const shop = await openFileShop();

function record(name: string) {
  const messages: Message[] = [];
  const listen = (message: unknown) => messages.push(message as Message);
  subscribe(name, listen);
  return { messages, [Symbol.dispose]: () => unsubscribe(name, listen) };
}

test('subscribers get one message for each gateway call and each verified payment, without personal data, tokens and keys', async () => {
  const fields: Readonly<Record<string, string>> = mugDelivery;
  const calls = record('tianguis:gateway.call');
  const verified = record('tianguis:payment.settled');

  const opened = await openHostedPage(shop, '1', fields);
  await payAndReturn(shop, opened);
  await opened.customer.get(opened.returnPath);
  await opened.customer.add();
  shop.control.fault('process', { kind: 'status', status: 500 }, 1);
  await payByCard(shop, opened.customer, CARDS.paid);
  for (const each of [calls, verified]) each[Symbol.dispose]();
  const after = [calls.messages.length, verified.messages.length];
  await openHostedPage(shop);

  const [order] = await allOrders(shop);
  const [attempt] = await allAttempts(shop);
  expect(calls.messages).toEqual([
    { call: 'create-session', durationMs: expect.any(Number), code: undefined },
    { call: 'read-session', durationMs: expect.any(Number), code: undefined },
    { call: 'process-payment', durationMs: expect.any(Number), code: 'server_error' },
  ]);
  expect(verified.messages).toEqual([
    { order: order?.number, attempt: attempt?.id, trigger: 'return', flow: 'hosted', from: 'open', to: 'paid' },
  ]);
  expect([calls.messages.length, verified.messages.length]).toEqual(after);
  const published = [...calls.messages, ...verified.messages];
  expect(published.flatMap(Object.keys).filter((name) => !LOG_FIELDS.some((each) => each === name))).toEqual([]);
  const token = opened.orderPath.split('/').at(-1);
  // Any digits can be in a duration and in the id of an attempt. Both are checked above.
  const texts = JSON.stringify(published.map(({ durationMs: _, attempt: __, ...rest }) => rest));
  for (const secret of [...Object.values(fields).filter((text) => text.length > 4), token, API_KEY])
    expect(texts).not.toContain(secret);
});
