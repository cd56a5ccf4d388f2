import { inParallel, numbers } from '../../../test/support/crowd.js';
import { type Aftermath, type Scale, type Scenario, unless } from '../scenario.js';
import { settleAll } from '../settling.js';
import { approveAtBank, CARDS, comeBack, expectStatus, pathOf, pay, Shopper, stateOn } from '../shopper.js';
import type { Stage } from '../stage.js';

const SHOPPERS = 64;

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
  await inParallel(numbers(SHOPPERS * rounds), SHOPPERS, async (index) => {
    try {
      const state = await WAYS[index % WAYS.length]?.(stage, new Shopper(stage));
      if (state !== 'paid') errors.push(`the order's page said "${state}"`);
    } catch (error) {
      errors.push(error instanceof Error ? error.message : String(error));
    }
  });
  return async () => {
    const settled = await settleAll(stage, `${SHOPPERS * rounds} purchases, ${errors.length} errors`);
    const problems = unless(errors.length === 0, `${errors.length} errors (${errors[0]})`);
    return { figures: settled.figures, problems: [...settled.problems, ...problems] };
  };
}

/** The payment flows: hosted page (twice as frequent), card, card with 3D Secure. */
const WAYS = [buyHosted, buyHosted, buyByCard, buyWithBank];

async function buyHosted(stage: Stage, shopper: Shopper): Promise<string> {
  const { session } = await shopper.openPage();
  return stateOn(await comeBack(shopper, await pay(stage, session)));
}

async function buyByCard(_stage: Stage, shopper: Shopper): Promise<string> {
  expectStatus(await shopper.addToCart(), 303);
  const { headers } = expectStatus(await shopper.payByCard(), 303);
  return stateOn(await shopper.get(pathOf(headers.location ?? '/')));
}

async function buyWithBank(stage: Stage, shopper: Shopper): Promise<string> {
  expectStatus(await shopper.addToCart(), 303);
  const { headers } = expectStatus(await shopper.payByCard(CARDS.challenged), 302);
  return stateOn(await comeBack(shopper, await approveAtBank(stage, headers.location ?? '')));
}
