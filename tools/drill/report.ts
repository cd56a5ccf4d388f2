/** Progress and results of the drill as text. Pure. */
import type { Finding, Scenario } from './scenario.js';

export interface Result extends Finding {
  readonly scenario: Scenario;
  readonly seconds: number;
}

/** Returns one line for a result and one line for each of its problems. */
export function resultLines({ scenario, summary, problems }: Result): string {
  const lines = problems.map((text) => `\n      ${text}`).join('');
  return `${verdictOf(problems)}  ${scenario.id}  ${scenario.description} (${summary})${lines}`;
}

/** Returns all results as a Markdown table. */
export function resultTable(results: readonly Result[]): string {
  const rows = results.map(({ scenario, summary, problems, seconds }) => [
    verdictOf(problems),
    scenario.id,
    summary,
    seconds.toFixed(0),
  ]);
  const head = ['', 'scenario', 'summary', 'seconds'];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  return [head, rule, ...rows]
    .map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
    .join('\n');
}

function verdictOf(problems: readonly string[]): string {
  return problems.length === 0 ? 'PASS' : 'FAIL';
}

/** Returns id and description of the scenarios. */
export function scenarioList(scenarios: readonly Scenario[]): string {
  return scenarios
    .map(({ id, description, shops }) => {
      const requirement = shops === 2 ? ' (needs --database postgres://…)' : '';
      return `${id}\n    ${description}${requirement}`;
    })
    .join('\n');
}
