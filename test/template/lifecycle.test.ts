/** The diagram and the tables of docs/payment-lifecycle.md match the tables of the code. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { ATTEMPT_STATES, ORDER_STATES, TRIGGERS } from '@tianguis/payments/rules';
import { ORDER_TRANSITIONS } from '../../packages/payments/src/rules/lifecycle.js';

const document = readFileSync(new URL('../../docs/payment-lifecycle.md', import.meta.url), 'utf8');

/** Returns the first cells of the table with this heading. */
function cellsBelow(heading: string): readonly string[] {
  const [rows = ''] = (document.split(`| ${heading} |`)[1] ?? '').split('\n\n', 1);
  return rows.split('\n').map((row) => row.split('|')[1] ?? '');
}

function namesBelow(heading: string): readonly string[] {
  return cellsBelow(heading).flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

test('the diagram has every transition of an order with a described cause, and no other', () => {
  const edges = [...document.matchAll(/^ {4}(\w+) --> (\w+) : ([\w ,]+)$/gm)];
  const causes = cellsBelow('in the diagram').flatMap((cell) => cell.trim().split(', '));
  const transitions = Object.entries(ORDER_TRANSITIONS).flatMap(([from, states]) =>
    states.map((to) => `${from} ${to}`),
  );

  expect(new Set(edges.map(([, from, to]) => `${from} ${to}`))).toEqual(new Set(transitions));
  expect(document.match(/-->/g)).toHaveLength(transitions.length + 2);
  expect(causes).toEqual(expect.arrayContaining(edges.flatMap(([, , , cause = '']) => cause.split(', '))));
});

test('the tables describe every state of an order and of an attempt, and every trigger, once', () => {
  for (const [heading, states] of [
    ['state | the customer reads', ORDER_STATES],
    ['state | meaning', ATTEMPT_STATES],
  ] as const) {
    const names = namesBelow(heading);
    expect([new Set(names), names.length]).toEqual([new Set(states), states.length]);
  }
  expect(namesBelow('trigger')).toEqual(TRIGGERS);
});
