/** The drawing of docs/payment-lifecycle.md says what the code's own tables say. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { TRIGGERS } from '../../src/checkout/trigger.js';
import { ATTEMPT_STATES, ORDER_STATES } from '../../src/domain/order.js';
import { ALL_CASES } from '../support/transitions.js';

const document = readFileSync(new URL('../../docs/payment-lifecycle.md', import.meta.url), 'utf8');

/** The quoted names in the first cells of the table with this heading. */
function namesIn(heading: string): readonly string[] {
  const [, table = ''] = document.split(`| ${heading} |`);
  const [rows = ''] = table.split('\n\n', 1);
  return rows
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

test('every move of the state machine is drawn, with its cause, and nothing else', () => {
  const edges = [...document.matchAll(/^ {4}(\w+) --> (\w+) : ([\w ,]+)$/gm)];
  const causes = document
    .split('| in the drawing |')[1]
    ?.split('\n\n', 1)[0]
    ?.match(/^\| [\w ,]+ \|/gm)
    ?.flatMap((cell) => cell.slice(2, -2).split(', '));
  const changes = ALL_CASES.filter(({ before, after }) => before.order !== after.order);
  const moves = [...new Set(changes.map(({ before, after }) => `${before.order} ${after.order}`))];

  const drawn = edges.map(([, from, to]) => `${from} ${to}`);

  expect(new Set(drawn)).toEqual(new Set(moves));
  expect(document.match(/-->/g)).toHaveLength(moves.length + 2);
  const named = new Set(edges.flatMap(([, , , cause = '']) => cause.split(', ')));
  expect(causes).toEqual(expect.arrayContaining([...named]));
});

test('every state of an order and of an attempt, and every trigger, is explained once', () => {
  const [ofOrders, ofAttempts] = [namesIn('state | the customer reads'), namesIn('state | meaning')];

  expect(new Set(ofOrders)).toEqual(new Set(ORDER_STATES));
  expect(ofOrders).toHaveLength(ORDER_STATES.length);
  expect(new Set(ofAttempts)).toEqual(new Set(ATTEMPT_STATES));
  expect(ofAttempts).toHaveLength(ATTEMPT_STATES.length);
  expect(namesIn('trigger')).toEqual(TRIGGERS);
});
