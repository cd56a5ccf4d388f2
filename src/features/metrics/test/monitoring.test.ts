/** The alert rules and the dashboard use only metrics that a running shop exposes. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Customer } from '../../../../test/support/customer.js';
import { payByCard } from '../../../../test/support/purchase.js';
import { openTestShop } from '../../../../test/support/test-shop.js';

const SELECTOR = /\b((?:tianguis|nodejs|process)_[a-z0-9_]+)(?:\{([^}]*)\})?/g;

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
}

function read(name: string): string {
  return readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8');
}

const rules = [...read('monitoring/alerts.yml').matchAll(/^ {8}expr: (.+)$/gm)].map(([, expr = '']) => ({ expr }));
const { panels } = JSON.parse(read('monitoring/dashboard.json')) as Dashboard;
const expressions = [...rules, ...panels.flatMap(({ targets = [] }) => targets)].map(({ expr }) => expr);

/** Returns the metrics of a shop after a purchase and an error page. */
async function scrapeAfterPurchase(): Promise<string> {
  await using shop = await openTestShop();
  await payByCard(shop, await Customer.withCart(shop));
  shop.simulator.control.fault('create-session', { kind: 'status', status: 500, body: {} });
  await (await Customer.withCart(shop)).payHosted();
  return (await new Customer(shop).get('/metrics')).text;
}

/** Returns the name and labels of each series that an expression selects. `le` is computed by Prometheus. */
function seriesIn(expression: string): readonly (readonly string[])[] {
  return [...expression.matchAll(SELECTOR)].flatMap(([, name = '', matchers = '']) =>
    [...matchers.matchAll(/(\w+)=~?"([^"]*)"/g)]
      .filter(([, label]) => label !== 'le')
      .reduce<readonly (readonly string[])[]>(
        (found, [, label, values = '']) =>
          found.flatMap((series) => values.split('|').map((value) => [...series, `${label}="${value}"`])),
        [[name]],
      ),
  );
}

test('alerts and dashboard select only exposed metrics and labels, and leave out none of the shop', async () => {
  const text = await scrapeAfterPurchase();
  const lines = text.split('\n');
  const series = expressions.flatMap(seriesIn);
  const missing = series.filter(
    ([name, ...labels]) =>
      !lines.some((line) => line.split(/[{ ]/, 1)[0] === name && labels.every((one) => line.includes(one))),
  );
  const used = new Set(series.map(([name = '']) => name.replace(/_(?:bucket|count|sum)$/, '')));
  const exposed = [...text.matchAll(/^# TYPE (tianguis_\w+)/gm)].map(([, name = '']) => name);

  expect(series.length).toBeGreaterThan(40);
  expect(missing).toEqual([]);
  expect(exposed.filter((name) => !used.has(name))).toEqual([]);
});
