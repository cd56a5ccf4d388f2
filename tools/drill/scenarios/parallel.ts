import { inParallel, numbers } from '../../../test/support/crowd.js';
import { approveAtBank, CARDS, Customer, comeBack, expectStatus, pathOf, pay, stateOn } from '../customer.js';
import { type Aftermath, type Scale, type Scenario, unless } from '../scenario.js';
import { settleAll } from '../settling.js';
import type { Stage } from '../stage.js';

const CUSTOMERS = 64;

export const parallel: Scenario = {
  id: 'parallel',
  says: '64 customers buy in parallel through every payment flow: no errors',
  ties: 'cases 23, 65, 126',
  limitMs: 180_000,
  play: playParallel,
};

async function playParallel(stage: Stage, scale: Scale): Promise<Aftermath> {
  const rounds = scale.of({ full: 10, short: 1 });
  const errors: string[] = [];
  await inParallel(numbers(CUSTOMERS * rounds), CUSTOMERS, async (index) => {
    try {
      const state = await WAYS[index % WAYS.length]?.(stage, new Customer(stage));
      if (state !== 'paid') errors.push(`the order's page said "${state}"`);
    } catch (error) {
      errors.push(error instanceof Error ? error.message : String(error));
    }
  });
  return async () => {
    const settled = await settleAll(stage, `${CUSTOMERS * rounds} purchases, ${errors.length} errors`);
    const problems = unless(errors.length === 0, `${errors.length} errors (${errors[0]})`);
    return { figures: settled.figures, problems: [...settled.problems, ...problems] };
  };
}

/** The payment flows: hosted page (twice as frequent), card, card with 3D Secure. */
const WAYS = [buyHosted, buyHosted, buyByCard, buyWithBank];

async function buyHosted(stage: Stage, customer: Customer): Promise<string> {
  const { session } = await customer.openPage();
  return stateOn(await comeBack(customer, await pay(stage, session)));
}

async function buyByCard(_stage: Stage, customer: Customer): Promise<string> {
  expectStatus(await customer.addToCart(), 303);
  const { headers } = expectStatus(await customer.payByCard(), 303);
  return stateOn(await customer.get(pathOf(headers.location ?? '/')));
}

async function buyWithBank(stage: Stage, customer: Customer): Promise<string> {
  expectStatus(await customer.addToCart(), 303);
  const { headers } = expectStatus(await customer.payByCard(CARDS.challenged), 302);
  return stateOn(await comeBack(customer, await approveAtBank(stage, headers.location ?? '')));
}
