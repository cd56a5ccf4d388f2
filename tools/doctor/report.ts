import type { CheckResult } from './check.js';

/** Returns the results as JSON, with their number by level. */
export function jsonReport(results: readonly CheckResult[]): string {
  const count = (level: CheckResult['level']) => results.filter((result) => result.level === level).length;
  return JSON.stringify({ errors: count('error'), warnings: count('warning'), notes: count('note'), results }, null, 2);
}

/** Returns the text of all results, the most severe last, where they stay visible in a terminal. */
export function formatReport(results: readonly CheckResult[]): string {
  const of = (level: CheckResult['level']) => results.filter((result) => result.level === level);
  const [passed, notes, warnings, errors] = [of('ok'), of('note'), of('warning'), of('error')];
  const lines = [...passed, ...notes, ...warnings, ...errors].map(formatResult).join('\n');
  return `${lines}\n\n${errors.length} errors, ${warnings.length} warnings, ${notes.length} notes, ${passed.length} checks passed.`;
}

function formatResult(result: CheckResult): string {
  const head = `${result.level.toUpperCase().padEnd(7)}  ${result.check}`;
  if (result.level === 'ok') return head;
  return `${head}: ${result.what}\n           why  ${result.why}\n           fix  ${result.fix}`;
}
