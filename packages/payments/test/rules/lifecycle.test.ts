import { expect, test } from '@jest/globals';
import { ATTEMPT_STATES, ORDER_STATES } from '@tianguis/payments/rules';
import { ATTEMPT_TRANSITIONS, assertAllowed, ORDER_TRANSITIONS } from '../../src/rules/lifecycle.js';
import { ALL_CASES } from '../support/transitions.js';

const listed = (table: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(table).flatMap(([from, states]) => states.map((to) => `${from} ${to}`));

/** Returns all changes of one state machine that an event causes. */
function changesOf(name: 'order' | 'attempt'): ReadonlySet<string> {
  const changed = ALL_CASES.filter(({ before, after }) => before[name] !== after[name]);
  return new Set(changed.map(({ before, after }) => `${before[name]} ${after[name]}`));
}

test.each([
  ['order', ORDER_TRANSITIONS],
  ['attempt', ATTEMPT_TRANSITIONS],
] as const)('the table of %s transitions lists each change that an event causes, once, and no other', (name, table) => {
  expect(new Set(listed(table))).toEqual(changesOf(name));
  expect(listed(table)).toHaveLength(changesOf(name).size);
});

test('a change of an order that its table does not list throws', () => {
  const table = new Set(listed(ORDER_TRANSITIONS));
  for (const from of ORDER_STATES)
    for (const to of ORDER_STATES) {
      const change = () => assertAllowed({ order: from, attempt: 'open' }, { order: to, attempt: 'open' });
      if (from === to || table.has(`${from} ${to}`)) expect(change).not.toThrow();
      else expect(change).toThrow(`no order changes from ${from} to ${to}`);
    }
});

test('a change of an attempt that its table does not list throws', () => {
  const table = new Set(listed(ATTEMPT_TRANSITIONS));
  for (const from of ATTEMPT_STATES)
    for (const to of ATTEMPT_STATES) {
      const change = () => assertAllowed({ order: 'review', attempt: from }, { order: 'review', attempt: to });
      if (from === to || table.has(`${from} ${to}`)) expect(change).not.toThrow();
      else expect(change).toThrow(`no attempt changes from ${from} to ${to}`);
    }
});
