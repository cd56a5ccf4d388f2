/** The diagram, the tables and lists of docs/payment-lifecycle.md match the tables of the code. */
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

/** Returns what the items of this section define. */
function termsIn(section: string): readonly string[] {
  const [, text = ''] = document.split(`\n## ${section}\n`);
  const [own = ''] = text.split('\n## ', 1);
  return [...own.matchAll(/^- (.+?):/gm)].map(([, term = '']) => term);
}

const namesIn = (cells: readonly string[]) =>
  cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));

test('the diagram has every transition of an order with a described cause, and no other', () => {
  const edges = [...document.matchAll(/^ {4}(\w+) --> (\w+) : ([\w ,]+)$/gm)];
  const causes = termsIn('Transitions').flatMap((term) => term.split(', '));
  const transitions = Object.entries(ORDER_TRANSITIONS).flatMap(([from, states]) =>
    states.map((to) => `${from} ${to}`),
  );

  expect(new Set(edges.map(([, from, to]) => `${from} ${to}`))).toEqual(new Set(transitions));
  expect(document.match(/-->/g)).toHaveLength(transitions.length + 2);
  expect(causes).toEqual(expect.arrayContaining(edges.flatMap(([, , , cause = '']) => cause.split(', '))));
});

test('the document describes every state of an order and of an attempt, and every trigger, once', () => {
  for (const [cells, states] of [
    [cellsBelow('state | the customer reads'), ORDER_STATES],
    [termsIn('Attempt states'), ATTEMPT_STATES],
  ] as const) {
    const names = namesIn(cells);
    expect([new Set(names), names.length]).toEqual([new Set(states), states.length]);
  }
  expect(namesIn(termsIn('Lookup triggers'))).toEqual(TRIGGERS);
});
