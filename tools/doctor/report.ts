import type { CheckResult } from './check.js';

/** Most severe level last, where it stays visible in a terminal. */
const LABELS = { ok: 'OK', note: 'NOTE', warning: 'WARNING', error: 'ERROR' } as const;
const LEVELS = ['ok', 'note', 'warning', 'error'] as const;

export function formatReport(results: readonly CheckResult[]): string {
  const byLevel = LEVELS.map((level) => results.filter((result) => result.level === level));
  const [ok = 0, notes = 0, warnings = 0, errors = 0] = byLevel.map(({ length }) => length);
  const summary = `${errors} errors, ${warnings} warnings, ${notes} notes, ${ok} checks passed.`;
  return `${byLevel.flat().map(formatResult).join('\n')}\n\n${summary}`;
}

function formatResult(result: CheckResult): string {
  const head = `${LABELS[result.level].padEnd(7)}  ${result.check}`;
  if (result.level === 'ok') return head;
  return `${head}: ${result.what}\n           why  ${result.why}\n           fix  ${result.fix}`;
}
