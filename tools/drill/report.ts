/** Text report of the drill. Pure. */
import type { Scenario } from './scenario.js';

export interface Result {
  readonly scenario: Scenario;
  readonly figures: string;
  readonly problems: readonly string[];
  readonly seconds: number;
}

/** Returns whether the scenario found no problems. */
export function hasPassed({ problems }: Result): boolean {
  return problems.length === 0;
}

/** Returns one line for a result and one line for each of its problems. */
export function line(result: Result): string {
  const { scenario, figures, problems } = result;
  const verdict = hasPassed(result) ? 'PASS' : 'FAIL';
  const told = figures === '' ? '' : ` (${figures})`;
  return [
    `${verdict}  ${scenario.id}  ${scenario.says}${told}`,
    ...problems.map((text) => `      ${text}`),
  ].join('\n');
}

/** Returns all results as a Markdown table. */
export function table(results: readonly Result[]): string {
  const head = ['', 'scenario', 'figures', 'ties', 'seconds'] as const;
  const rows = results.map((result) => [
    hasPassed(result) ? 'PASS' : 'FAIL',
    result.scenario.id,
    result.figures,
    result.scenario.ties,
    result.seconds.toFixed(0),
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const print = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [print(head), rule, ...rows.map(print)].join('\n');
}

/** Returns id, description and case numbers of the scenarios. */
export function lists(scenarios: readonly Scenario[]): string {
  return scenarios
    .map(({ id, says, ties, shops }) => {
      const needs = id === 'same-instant-two' && shops === 2 ? '; needs --database postgres://…' : '';
      return `${id}\n    ${says}\n    ${ties}${needs}`;
    })
    .join('\n');
}
