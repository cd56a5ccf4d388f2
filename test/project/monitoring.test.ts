/** The alert rules and the dashboard name nothing but what a running shop tells. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Customer } from '../support/customer.js';
import { payByCard } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';

const NAME = /\b(?:tianguis|nodejs|process)_[a-z0-9_]+/g;
const SELECTOR = /\b((?:tianguis|nodejs|process)_[a-z0-9_]+)(?:\{([^}]*)\})?/g;

function read(name: string): string {
  return readFileSync(new URL(`../../docs/monitoring/${name}`, import.meta.url), 'utf8');
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly rest: string;
}

function alertRules(): readonly Rule[] {
  return read('alerts.yml')
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map((text) => ({
      alert: text.split('\n', 1)[0] ?? '',
      expr: /^ {8}expr: (.+)$/m.exec(text)?.[1] ?? '',
      rest: text,
    }));
}

interface Panel {
  readonly targets?: readonly { readonly expr: string }[];
}

function dashboardExpressions(): readonly string[] {
  const { panels } = JSON.parse(read('dashboard.json')) as { readonly panels: readonly Panel[] };
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}

/** What a shop tells that has sold something and has shown an error page. */
async function scrapeAfterPurchase(): Promise<string> {
  await using shop = await openTestShop();
  await payByCard(shop, await Customer.withCart(shop));
  shop.simulator.control.fault('create-session', { kind: 'status', status: 500, body: {} });
  await (await Customer.withCart(shop)).payHosted();
  return (await new Customer(shop).get('/metrics')).text;
}

/** Each series that an expression asks for by its labels, as a pattern for a line of the text. */
function seriesIn(expression: string): readonly string[] {
  return [...expression.matchAll(SELECTOR)].flatMap(([, name = '', matchers = '']) => {
    const told = [...matchers.matchAll(/(\w+)(=~?)"([^"]*)"/g)].filter(([, label]) => label !== 'le');
    const words = told.map(([, label, , values = '']) =>
      values.split('|').map((value) => `${label}="${value}"`),
    );
    return combine(words).map((labels) => `${name} ${labels.join(' ')}`);
  });
}

function combine(words: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return words.reduce<readonly (readonly string[])[]>(
    (found, choices) => found.flatMap((labels) => choices.map((choice) => [...labels, choice])),
    [[]],
  );
}

function isTold(lines: readonly string[], series: string): boolean {
  const [name = '', ...labels] = series.split(' ').filter(Boolean);
  return lines.some(
    (line) => line.split(/[{ ]/, 1)[0] === name && labels.every((label) => line.includes(label)),
  );
}

describe('alerts and dashboard', () => {
  test('ask for metrics and labels that a shop tells, every one', async () => {
    const lines = (await scrapeAfterPurchase()).split('\n');
    const expressions = [...alertRules().map(({ expr }) => expr), ...dashboardExpressions()];
    const series = new Set(expressions.flatMap(seriesIn));

    expect(series.size).toBeGreaterThan(40);
    expect([...series].filter((one) => !isTold(lines, one))).toEqual([]);
  });

  test('leave out none of the shop’s own metrics', async () => {
    const told = (await scrapeAfterPurchase()).matchAll(/^# TYPE (tianguis_\w+)/gm);
    const asked = new Set(
      [...alertRules().map(({ expr }) => expr), ...dashboardExpressions()]
        .flatMap((expr) => expr.match(NAME) ?? [])
        .map((name) => name.replace(/_(?:bucket|count|sum)$/, '')),
    );

    expect([...told].flatMap(([, name = '']) => (asked.has(name) ? [] : [name]))).toEqual([]);
  });
});

describe('each alert', () => {
  const rules = alertRules();

  test('has a name of its own', () => {
    expect(rules.length).toBeGreaterThan(15);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });

  test('that the cases count on is there', () => {
    const cases = readFileSync(new URL('../../docs/internals/cases.md', import.meta.url), 'utf8');
    const named = cases.match(/`Tianguis[A-Z]\w+`/g) ?? [];

    expect(named.length).toBeGreaterThan(1);
    expect(rules.map(({ alert }) => `\`${alert}\``)).toEqual(expect.arrayContaining(named));
  });

  test.each(rules)('$alert says how urgent it is, what is wrong and what to do', ({ expr, rest }) => {
    expect(expr).not.toBe('');
    expect(rest).toMatch(/severity: (?:page|ticket) }/);
    expect(rest).toMatch(/^ {10}summary: .{20,}\.$/m);
    expect(rest).toMatch(/^ {10}action: .{20,}\.$/m);
  });
});
