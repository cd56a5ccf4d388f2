import { mkdirSync, writeFileSync } from 'node:fs';
import { type ClauseResult, UNTESTED } from './run-clauses.js';

export function labelOf({ differences, untested }: ClauseResult) {
  if (untested) return 'NOT TESTED';
  return differences.length > 0 ? 'DIFFERS' : 'MEETS';
}

/** Returns the differences, and the published ones as such. */
export function foundIn({ differences, published }: ClauseResult): readonly string[] {
  return [...differences, ...published.map((difference) => `as published: ${difference}`)];
}

/** Returns the lines of NOT TESTED: the clauses that a run left out, and the rules that no run tests. */
export function untestedLines(results: readonly ClauseResult[]): readonly string[] {
  const clauses = results.flatMap(({ name, section, untested }) =>
    untested ? [[name, section, untested] as const] : [],
  );
  return [...clauses, ...UNTESTED].map(([name, section, reason]) => `${name} (${section}): ${reason}`);
}

/** Writes the results below `data/contract/`. The name of the file is the time. Returns its path. */
export function writeReport(results: readonly ClauseResult[], addresses: string, now: Date): string {
  const rows = results.map((result) => {
    const found = foundIn(result)
      .map((difference) => `<br>${difference}`)
      .join('');
    const cells = [result.name, result.section, result.asked, result.expected, `${labelOf(result)}${found}`];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  const lines = [
    `# Contract of ${addresses}, ${now.toISOString()}`,
    ...['', '| clause | section | asked | expected | result |', '|---|---|---|---|---|', ...rows],
    ...['', '## NOT TESTED', '', ...untestedLines(results).map((line) => `- ${line}`)],
  ];
  mkdirSync('data/contract', { recursive: true });
  const path = `data/contract/${now.toISOString().replaceAll(':', '-')}.md`;
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}
