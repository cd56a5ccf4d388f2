const SOURCES = 'payments-source';

/** What setup changed, or would change in a dry run. It has no values of settings, which may be secret. */
export interface Report {
  readonly isDryRun: boolean;
  /** Names of parts. */
  readonly removed: readonly string[];
  readonly unusedPackages: readonly string[];
  /** Names of settings. */
  readonly settings: readonly string[];
  /** Paths of files. */
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  /** Options of the values that are still those of the sample shop. */
  readonly samples: readonly string[];
}

/** Returns the report as text for the terminal. */
export function describeReport({ isDryRun, removed, unusedPackages, written, deleted, samples }: Report): string {
  const lines = [
    isDryRun && 'Nothing is changed. Without --dry-run:',
    removed.length > 0 && `Removed in one commit: ${removed.join(', ')}.`,
    unusedPackages.length > 0 && `No file imports these packages any more: npm uninstall ${unusedPackages.join(' ')}`,
    removed.includes(SOURCES) &&
      `vendor/ has payments and simulator as packages. To change the payments: npm run features -- restore ${SOURCES}`,
    written.length > 0 && `Wrote ${written.join(', ')}.`,
    deleted.length > 0 && `Deleted ${deleted.join(', ')}.`,
    samples.length > 0 && `Production refuses the sample values that are left: ${samples.join(', ')}.`,
    !isDryRun &&
      'Next: npm start. Before you commit: npm run check && npm test. For the gateway, follow docs/going-live.md.',
  ];
  return lines.filter((line) => line !== false).join('\n');
}
