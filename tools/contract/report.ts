/** The report as text. Pure. */
import type { Deviation } from './expectation.js';
import type { Result } from './run-contract.js';

/** Returns one line for a clause, and one line for each of its differences. */
export function line({ clause, deviations, skipped }: Result): string {
  const { section, name, says } = clause;
  const verdict = skipped !== undefined ? 'SKIPPED' : deviations.length > 0 ? 'DIFFERS' : 'MEETS  ';
  const head = `${verdict}  ${name} (${section}): ${says}${skipped === undefined ? '' : ` – ${skipped}`}`;
  return [head, ...deviations.map(difference)].join('\n');
}

function difference({ at, expected, found }: Deviation): string {
  return `           ${at}: expected ${expected}, found ${found}`;
}

/** Returns the numbers of clauses and differences as text. */
export function summary(results: readonly Result[]): string {
  const skipped = results.filter((result) => result.skipped !== undefined).length;
  const differing = results.filter(({ deviations }) => deviations.length > 0);
  const met = results.length - skipped - differing.length;
  const count = differing.reduce((sum, { deviations }) => sum + deviations.length, 0);
  const head = `${met} clauses met, ${differing.length} not, ${skipped} skipped.`;
  if (count === 0) return head;
  return `${head}
The gateway differs from interface.md in ${count} ${count === 1 ? 'point' : 'points'}.
docs/gateway-interface.md lists known differences and their job on the shop.
If the simulator should have the same difference, change tools/simulator/.`;
}

/** Whether any clause has a difference. */
export function hasDifferences(results: readonly Result[]): boolean {
  return results.some(({ deviations }) => deviations.length > 0);
}
