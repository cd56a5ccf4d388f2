/** The part of the customer in a browser: a person, or with the simulator this program. */
import { createInterface } from 'node:readline/promises';
import { isLoopbackHost, type Target } from './target.js';

/** Why a run does not test a clause. */
export class NotTested extends Error {
  override readonly name = 'NotTested';
}

const STEPS = {
  pay: 'Pay with a test card that succeeds',
  decline: 'Pay with a test card that the bank declines, and do not leave the page',
  cancel: 'Cancel the payment on the page',
  expire: 'Wait 31 minutes, until the session has expired',
  approve: 'Confirm the payment at the bank',
  refuse: 'Refuse the payment at the bank',
} as const;

/** Takes a step on a page of the gateway or the bank. Returns the address to which the page led, or `''`. */
export type Tester = (step: keyof typeof STEPS, page: string) => Promise<string>;

/** Returns the program's tester for the simulator, and asks a person otherwise. */
export async function findTester({ CHECKOUT_API_URL }: Target): Promise<Tester> {
  const { hostname, origin } = new URL(CHECKOUT_API_URL);
  if (!isLoopbackHost(hostname)) return person;
  const answer = await fetch(`${origin}/_control/faults`).catch(() => undefined);
  return answer?.ok ? simulatorTester(origin) : person;
}

async function person(...[step, page]: Parameters<Tester>): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const wanted = 'Paste the address to which the page led. Enter: none. s: skip this clause.';
  process.stdout.write(`\n${STEPS[step]}:\n  ${page}\n${wanted}\n`);
  const answer = (await terminal.question('> ')).trim();
  terminal.close();
  if (answer === 's') throw new NotTested('the tester skipped it');
  return answer;
}

const EXPIRY_MS = 31 * 60_000;

function simulatorTester(origin: string): Tester {
  const post = async (page: string, form: Record<string, string>) => {
    const answer = await fetch(page, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
    return new URL(answer.headers.get('location') ?? page, page).href;
  };
  const advanceClock = (ms: number) =>
    fetch(`${origin}/_control/advanceClock`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify([ms]),
    });
  return async (step, page) => {
    if (step === 'pay') return post(page, { test_card: '4000000000000077' });
    if (step === 'decline') return post(page, { test_card: '5451951574925480' });
    if (step === 'cancel') return post(`${page}/cancel`, {});
    if (step !== 'expire') return post(page, { answer: step });
    await advanceClock(EXPIRY_MS);
    await advanceClock(-EXPIRY_MS);
    return '';
  };
}
