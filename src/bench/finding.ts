/** What was measured, and whether it reaches what was promised. Pure. */

export interface Finding {
  /** What was measured, in words. */
  readonly what: string;
  /** The figure in words, with its unit. */
  readonly figure: string;
  /** What was promised; absent where a figure only informs. */
  readonly bar?: string;
  /** `noisy`: the machine was too uneven to tell. */
  readonly verdict?: 'holds' | 'misses' | 'noisy';
  /** The bare numbers, for programs. */
  readonly numbers: Readonly<Record<string, number>>;
}

/** Rounds of the same thing that differ by more than this say nothing about a bar that was just missed. */
const UNEVEN = 1.5;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** How far the rounds of one thing lie apart. */
function spread(values: readonly number[]): number {
  return Math.max(...values) / Math.min(...values);
}

/** Ratio of medians, round by round against what was measured in the same minute. */
export function compare(ours: readonly number[], theirs: readonly number[]): number {
  return median(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)));
}

/** A bar that was reached is reached on any machine; one that was missed may be the machine's doing. */
export function judge(
  reached: boolean,
  rounds: readonly (readonly number[])[],
): NonNullable<Finding['verdict']> {
  if (reached) return 'holds';
  return rounds.some((values) => values.length > 1 && spread(values) > UNEVEN) ? 'noisy' : 'misses';
}

/** Thousands apart, no more digits than were measured. */
export function round(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}

/** All findings as people read them. */
export function table(findings: readonly (Finding & { readonly row: string })[]): string {
  const rows = findings.map(({ row, what, figure, bar = '', verdict = '' }) => [
    row,
    what,
    figure,
    bar,
    verdict,
  ]);
  const head = ['row', 'what', 'measured', 'bar', ''];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const print = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [
    print(head),
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...rows.map(print),
  ].join('\n');
}
