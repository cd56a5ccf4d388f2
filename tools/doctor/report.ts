/** Text report of the findings. Pure. */
import { type Finding, LEVELS, type Level } from './finding.js';

const SIGNS: Readonly<Record<Level, string>> = {
  error: 'ERROR  ',
  warning: 'WARNING',
  note: 'NOTE   ',
  ok: 'OK     ',
};

/** Returns the report with the most severe findings last, where they stay visible in a terminal. */
export function report(findings: readonly Finding[]): string {
  const order = [...LEVELS].reverse();
  const lines = order.flatMap((level) => findings.filter((found) => found.level === level).map(paragraph));
  return `${lines.join('\n')}\n\n${summary(findings)}`;
}

/** Returns whether a finding has the level `error`. */
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ level }) => level === 'error');
}

function paragraph(finding: Finding): string {
  const head = `${SIGNS[finding.level]}  ${finding.check}: ${finding.what}`;
  if (finding.level === 'ok') return head;
  return `${head}\n           why   ${finding.why}\n           mend  ${finding.mend}`;
}

function summary(findings: readonly Finding[]): string {
  const counts = LEVELS.map((level) => findings.filter((found) => found.level === level).length);
  const [errors = 0, warnings = 0, notes = 0, fine = 0] = counts;
  return `${errors} errors, ${warnings} warnings, ${notes} notes, ${fine} in order.`;
}
