import { PAYMENTS_FIELDS, PAYMENTS_TEXT } from '../../src/shop/payments-version.js';
import type { CheckResult } from './check.js';

/** Returns the results as JSON, with their number by level and which payments run. */
export function jsonReport(results: readonly CheckResult[]): string {
  const count = (level: CheckResult['level']) => results.filter((result) => result.level === level).length;
  const counts = { errors: count('error'), warnings: count('warning'), notes: count('note') };
  return JSON.stringify({ ...counts, ...PAYMENTS_FIELDS, results }, null, 2);
}

/** Returns which payments run, and the text of all results, the most severe last, where they stay visible in a terminal. */
export function formatReport(results: readonly CheckResult[]): string {
  const of = (level: CheckResult['level']) => results.filter((result) => result.level === level);
  const [passed, notes, warnings, errors] = [of('ok'), of('note'), of('warning'), of('error')];
  const lines = [...passed, ...notes, ...warnings, ...errors].map(formatResult).join('\n');
  return `Payments ${PAYMENTS_TEXT}\n${lines}\n\n${errors.length} errors, ${warnings.length} warnings, ${notes.length} notes, ${passed.length} checks passed.`;
}

function formatResult(result: CheckResult): string {
  const head = `${result.level.toUpperCase().padEnd(7)}  ${result.check}`;
  if (result.level === 'ok') return head;
  return `${head}: ${result.what}\n           why  ${result.why}\n           fix  ${result.fix}`;
}
