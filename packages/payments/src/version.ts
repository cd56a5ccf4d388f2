/** Which version of the payments runs. */
import { readFileSync } from 'node:fs';

interface PaymentsVersion {
  readonly version: string;
  /** The commit from which the package was packed, which npm names `gitHead`. Absent in a clone that has the sources. */
  readonly commit: string | undefined;
}

export const PAYMENTS_VERSION = readVersion();

function readVersion(): PaymentsVersion {
  const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const { version, gitHead } = JSON.parse(file) as { readonly version: string; readonly gitHead?: string };
  return { version, commit: gitHead };
}
