import { inParallel, numbers } from '../../../test/support/crowd.js';
import type { Reply } from '../../../test/support/http.js';
import { Customer, expectStatus, pathOf, stateOn } from '../customer.js';
import { type Aftermath, type Scale, type Scenario, unless } from '../scenario.js';
import { untilAllPaid } from '../settling.js';
import type { Stage } from '../stage.js';

/** At most four consecutive failures, so that the circuit breaker stays closed and each call is sent. */
const IN_A_ROW = 4;

export const lostAnswers: Scenario = {
  id: 'lost-answers',
  says: 'Card payments with a lost response are not sent again, are not marked as failed, and are found by webhook',
  ties: 'cases 42, 45, 68, complaints 17, 19-21',
  limitMs: 300_000,
  play: playLostAnswers,
};

async function playLostAnswers(stage: Stage, scale: Scale): Promise<Aftermath> {
  const { strings } = stage;
  const count = scale.of({ full: 200, short: 24 });
  await strings.webhooks('off');
  const wrong: string[] = [];
  for (const _ of numbers(Math.ceil(count / IN_A_ROW))) {
    await strings.fault('process', { kind: 'drop', when: 'after' }, IN_A_ROW);
    wrong.push(...(await inParallel(numbers(IN_A_ROW), IN_A_ROW, () => payAndInsist(stage))).flat());
    await strings.clearFaults();
    await payOnce(stage);
  }
  const calls = await strings.calls('process');
  const references = calls.map(({ body }) =>
    String((body as { client_reference?: unknown }).client_reference),
  );
  const again = references.length - new Set(references).size;
  const charges = await strings.ledger();
  await tellByWebhook(stage);
  return async () => {
    const settled = await untilAllPaid(stage, 90_000);
    const orders = (await stage.look()).books.orders.length;
    return {
      figures: `${count} responses lost: ${again} second charges, ${settled.paid} of ${charges.length} found by webhook or response`,
      problems: [
        ...unless(again === 0, `${again} card payments were sent again by machine`),
        ...unless(charges.length <= orders, `${charges.length} charges for ${orders} orders`),
        ...unless(settled.allPaid, `${charges.length - settled.paid} charges were not found by webhook`),
        ...unless(wrong.length === 0, `${wrong.length} pages were wrong (${wrong[0]})`),
      ],
    };
  };
}

/** Pays with a lost response and then tries every way to pay again. */
async function payAndInsist(stage: Stage): Promise<readonly string[]> {
  const customer = new Customer(stage);
  expectStatus(await customer.addToCart(), 303);
  const first = await customer.payByCard();
  const page = await customer.get(pathOf(first.headers.location ?? '/'));
  const again: Reply[] = [];
  for (const submit of INSISTING) again.push(await submit(customer));
  return [
    ...unless(stateOn(page) === 'outcome_unknown', `${first.status}, then a page saying "${stateOn(page)}"`),
    ...again.flatMap(({ status }) => unless(status === 303, `a second try was answered ${status}`)),
  ];
}

const INSISTING: readonly ((customer: Customer) => Promise<Reply>)[] = [
  (customer) => customer.payByCard(),
  (customer) => customer.payHosted(),
];

async function payOnce(stage: Stage): Promise<void> {
  const customer = new Customer(stage);
  expectStatus(await customer.addToCart(), 303);
  expectStatus(await customer.payByCard(), 303);
}

/** Delivers the webhook events that the simulator held back. */
async function tellByWebhook({ strings }: Stage): Promise<void> {
  const messages = (await strings.deliveries()).filter(({ event }) => event.startsWith('payment_'));
  await inParallel(messages, 8, ({ id }) => strings.sendWebhookAgain(id));
}
