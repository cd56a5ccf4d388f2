/** What a person reads. Pure. */
import type { Deviation } from './expectation.js';
import type { Result } from './run-contract.js';

/** One line for a clause, and one more for each difference. */
export function line({ clause, deviations, skipped }: Result): string {
  const { section, name, says } = clause;
  const verdict = skipped !== undefined ? 'SKIPPED' : deviations.length > 0 ? 'DIFFERS' : 'MEETS  ';
  const head = `${verdict}  ${name} (${section}): ${says}${skipped === undefined ? '' : ` – ${skipped}`}`;
  return [head, ...deviations.map(difference)].join('\n');
}

function difference({ at, expected, found }: Deviation): string {
  return `           ${at}: expected ${expected}, found ${found}`;
}

export function summary(results: readonly Result[]): string {
  const skipped = results.filter((result) => result.skipped !== undefined).length;
  const differing = results.filter(({ deviations }) => deviations.length > 0);
  const met = results.length - skipped - differing.length;
  const count = differing.reduce((sum, { deviations }) => sum + deviations.length, 0);
  const head = `${met} clauses met, ${differing.length} not, ${skipped} skipped.`;
  if (count === 0) return head;
  return `${head}
The service differs from interface.md in ${count} ${count === 1 ? 'point' : 'points'}. Whether the shop minds stands in docs/service-gaps.md;
where it should behave so too, correct the simulator (src/simulator/).`;
}

export function hasDifferences(results: readonly Result[]): boolean {
  return results.some(({ deviations }) => deviations.length > 0);
}
