/** Writes docs/internals/faults.md from what the code returns. */
import { TRIGGERS } from '@tianguis/payments/rules';
import type { TestShop } from '../../support/test-shop.js';
import { answerRows } from './answers.js';
import { forgeryRows } from './forgeries.js';
import { playScene, type Row, type Scene, type Seen } from './play.js';
import { LOOKUPS } from './scenes.js';
import { STARTED } from './starts.js';

export const COMMAND = 'FAULTS=write npm test -- test/template/faults';

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Returns the text that all triggers have in common, or each text with its triggers. */
function merged(seen: readonly Seen[], textOf: (each: Seen) => string): string {
  const texts = [...new Set(seen.map(textOf))];
  if (texts.length === 1) return texts[0] ?? '';
  const named = (text: string) => seen.filter((each) => textOf(each) === text).map(({ trigger }) => trigger);
  return texts.map((text) => `${named(text).join(', ')}: ${text}`).join('<br>');
}

/** Joins the rows of both flows that differ in nothing. */
function joined(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const restOf = ([scene, , ...cells]: readonly string[]) => [scene, ...cells].join('|');
  return rows.flatMap((row, index) => {
    const isSame = (other: readonly string[] | undefined) => other !== undefined && restOf(other) === restOf(row);
    if (isSame(rows[index - 1])) return [];
    return [isSame(rows[index + 1]) ? row.map((cell, place) => (place === 1 ? 'both' : cell)) : row];
  });
}

async function played(shop: TestShop, scenes: readonly Scene[]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const scene of scenes) rows.push(...(await playScene(shop, scene)));
  return rows;
}

const isAlike = ({ seen }: Row) => new Set(seen.map(({ states }) => states)).size === 1;

export async function faultsPage(shop: TestShop): Promise<string> {
  const [lookups, starts] = [await played(shop, LOOKUPS), await played(shop, STARTED)];
  const answers = answerRows();
  const forgeries = await forgeryRows(shop);
  const orders = [...lookups, ...starts].reduce((count, { seen }) => count + seen.length, 0);
  const cells = (seen: readonly Seen[]) => [
    merged(seen, ({ states }) => states),
    merged(seen, ({ customer }) => customer),
    merged(seen, ({ merchant }) => merchant),
  ];
  return `_A shop that was made from the template may delete this folder._

# Faults

Written by \`${COMMAND}\`. The same test without \`FAULTS\` compares this page with the code.

A cell has the state of the order · the states of its attempts · **the review reason**. "–": no change.
"list" has the decisions that the merchant's list of orders to review offers. The texts for customers are the first line of their page.

## Answers of a lookup

From \`evaluatePayment()\`, \`evaluateFailedLookup()\` and \`transition()\`, for an order \`pending · open\`. ${answers.length} rows.
The functions do not know the trigger. A row holds for each of ${TRIGGERS.map((trigger) => `\`${trigger}\``).join(', ')}.

${table(['answer', 'flow', 'until 2 minutes after the offer', 'afterwards', 'after 8 days', 'another attempt of a paid order', 'the payment of a paid order'], answers)}

## Lookups by trigger

Played with the shop and the simulator: ${lookups.length} rows with one order for each trigger, the customer's \`return\`, a \`webhook\` and the \`worker\`.
In ${lookups.filter(isAlike).length} rows all triggers have the same outcome. "later": the fault has ended, and the worker ran for 30 minutes.

${table(
  ['what happens', 'flow', 'outcome', 'the customer reads', 'the merchant sees', 'later'],
  joined(lookups.map(({ scene, flow, seen }) => [scene, flow, ...cells(seen), merged(seen, ({ later }) => later)])),
)}

## Start of a payment

Played in the same way: ${starts.length} rows. The call that starts the payment meets the fault. Then the customer submits \`again\`, a \`webhook\` names what the
gateway has, or the \`worker\` runs.

${table(
  [
    ...['what happens', 'flow', 'answer', 'answer to the form submitted again', 'charges', 'outcome'],
    ...['the customer reads', 'the merchant sees', 'later'],
  ],
  joined(
    starts.map(({ scene, flow, answer, seen }) => [
      ...[scene, flow, answer, seen[0]?.again ?? '', merged(seen, ({ charges }) => charges)],
      ...[...cells(seen), merged(seen, ({ later }) => later)],
    ]),
  ),
)}

## Forged requests

Each is sent for an order whose hosted page is open. Another order is paid at the gateway, and nothing was looked up. ${forgeries.length} rows.

${table(['request', 'answer', 'lookups', 'this order', 'the other order'], forgeries)}

${orders + 2 * forgeries.length} orders were played.
`;
}
