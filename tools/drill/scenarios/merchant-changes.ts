/** Managers record cash and correct lines of orders that the customer pays at the same time. */
import { inParallel, numbers } from '../../../test/support/crowd.js';
import { address } from '../../../test/support/customer.js';
import {
  Customer,
  expectStatus,
  openDeclinedOrder,
  openHostedPage,
  pathOf,
  paySession,
  type Reply,
} from '../customer.js';
import { type Environment, readShopState } from '../environment.js';
import { readForm, signInManager } from '../refund-form.js';
import type { Scenario } from '../scenario.js';
import { waitUntilVerified } from '../settlement.js';

export const merchantChanges: Scenario = {
  id: 'merchant-changes',
  description: 'Managers record cash or correct the lines while customers pay: each charge is paid or flagged',
  flows: ['hosted', 'card'],
  async run(environment, { of }) {
    const managers = [await signInManager(environment, 'ana'), await signInManager(environment, 'beto')] as const;
    const probe = await openDeclinedOrder(environment);
    const page = await managers[0].get(`/admin/orders/${await numberOf(environment, probe)}`);
    if (!page.text.includes('/paid-outside"') || !page.text.includes('/lines"'))
      return { summary: 'skipped: needs paid-outside and line-corrections', checks: [] };
    const count = of({ full: 40, short: 6 });
    await inParallel(numbers(count), 2, async (index) => {
      const link = await openDeclinedOrder(environment);
      const number = await numberOf(environment, link);
      const open = index % 3 === 0 ? openCorrection : openCash;
      const submits = await Promise.all(managers.map((manager) => open(manager, number)));
      // In each third trial the customer comes too late.
      const pays = () => new Customer(environment).payLinkByCard(link);
      await Promise.all([...submits.map((submit) => submit()), ...(index % 3 === 2 ? [] : [pays()])]);
      if (index % 3 === 2) await pays();
    });
    // Their pages stay open, and are paid after the lines were corrected.
    const late = await inParallel(numbers(count), 2, async () => {
      const { session } = await openHostedPage(environment);
      const order = await orderOfSession(environment, session);
      const submits = await Promise.all(managers.map((manager) => openCorrection(manager, order)));
      await Promise.all(submits.map((submit) => submit()));
      return session;
    });
    await inParallel(late, 4, (session) => paySession(environment, session));
    return async () => {
      const { paid, review, lost } = await waitUntilVerified(environment, 60_000, (now) => now.lost === 0);
      const state = await readShopState(environment);
      const outside = state.recordedOutside.length;
      const replaced = state.orders.filter(({ supersededBy }) => supersededBy !== null).length;
      return {
        summary: `${outside} paid in cash, ${replaced} replaced, ${paid} charges paid, ${review} flagged, ${lost} lost`,
        checks: [
          [outside >= Math.floor(count / 3), `${outside} orders were recorded as paid in cash`],
          [new Set(state.recordedOutside).size === outside, 'an order was recorded as paid in cash twice'],
          [replaced >= count, `${replaced} of ${count} open orders were replaced`],
          [lost === 0, `${lost} charges lost`],
        ],
      };
    };
  },
};

async function numberOf(environment: Environment, path: string): Promise<string> {
  const { orders } = await readShopState(environment);
  return orders.find(({ token }) => path.endsWith(token))?.number ?? '';
}

async function orderOfSession(environment: Environment, session: string): Promise<string> {
  const { attempts, orders } = await readShopState(environment);
  const attempt = attempts.find(({ gatewayId }) => gatewayId === session);
  return orders.find(({ id }) => id === attempt?.orderId)?.number ?? '';
}

/** Opens the form. Returns what submits it; nothing if the order is paid, or at the bank. */
async function openCash(manager: Customer, number: string): Promise<() => Promise<unknown>> {
  const path = `/admin/orders/${number}`;
  const action = `${path}/paid-outside`;
  const page = expectStatus(await manager.get(path), 200);
  if (!page.text.includes(`action="${action}"`)) return nothing;
  const fields = readForm(page, action);
  return () => manager.post(action, { ...fields, method: '01', note: 'drill' });
}

/** Opens the form and its total. Returns what creates the new order; nothing if the order is paid, or at the bank. */
async function openCorrection(manager: Customer, number: string): Promise<() => Promise<unknown>> {
  const path = `/admin/orders/${number}/lines`;
  const isForm = ({ text }: Reply) => text.includes(`action="${path}"`);
  const page = await manager.get(path);
  if (!isForm(page)) return nothing;
  const chosen = { payable_hours: '24', state: address.state };
  const asked = await manager.post(path, { ...readForm(page, path), ...chosen, quantity_1: '2', step: 'total' });
  const total = asked.status === 303 ? await manager.get(pathOf(asked.headers['location'])) : asked;
  if (!isForm(total)) return nothing;
  const fields = readForm(total, path);
  return () => manager.post(path, { ...fields, ...chosen, step: 'create' });
}

const nothing = () => Promise.resolve();
