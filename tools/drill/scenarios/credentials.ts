import { inParallel, numbers } from '../../../test/support/crowd.js';
import { exchange } from '../../../test/support/http.js';
import { countQueues } from '../books.js';
import { Customer, pay } from '../customer.js';
import { type Aftermath, at, type Scale, type Scenario, unless } from '../scenario.js';
import type { Stage } from '../stage.js';

export const credentials: Scenario = {
  id: 'webhook-credentials',
  says: 'A webhook with missing, wrong or almost correct credentials is rejected, not stored and causes no lookup',
  ties: 'cases 20, 26, complaint 44',
  play: playCredentials,
};

async function playCredentials(stage: Stage, scale: Scale): Promise<Aftermath> {
  await stage.strings.webhooks('off');
  const { customer, session } = await new Customer(stage).openPage();
  const back = await pay(stage, session);
  const wrong = wrongOnes(stage.webhookHeaders.Authorization);
  const count = scale.of({ full: 400, short: 80 });
  const body = JSON.stringify({ action: 'session.completed', data: { id: session } });
  const statuses = await inParallel(numbers(count), 16, async (index) => {
    const headers = { 'Content-Type': 'application/json', ...wrong[index % wrong.length] };
    return (await exchange(stage.nextUrl(), '/webhooks/payments', { method: 'POST', headers, body })).status;
  });
  const admitted = statuses.filter((status) => status !== 401).length;
  const { messages } = await countQueues(stage.databaseUrl);
  const before = await stage.look();
  await customer.get(back);
  return at({
    figures: `${count} false credentials: ${admitted} accepted, ${messages} webhook events stored`,
    problems: [
      ...unless(admitted === 0, `${admitted} webhooks were not rejected with 401`),
      ...unless(before.books.orders[0]?.state === 'pending', 'a rejected webhook changed the order'),
      ...unless(messages === 0, `${messages} webhook events were stored`),
    ],
  });
}

function wrongOnes(right: string): readonly Readonly<Record<string, string>>[] {
  const token = right.replace('Bearer ', '');
  const values = [
    '',
    'Bearer',
    'Bearer ',
    token,
    `bearer ${token}`,
    `Bearer  ${token}`,
    `${right}x`,
    right.slice(0, -1),
  ];
  const others = [`Basic ${Buffer.from(`a:${token}`).toString('base64')}`, 'Bearer undefined', 'Bearer null'];
  return [
    {},
    { 'X-Authorization': right },
    ...[...values, ...others].map((Authorization) => ({ Authorization })),
  ];
}
