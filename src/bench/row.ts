import type { Finding } from './finding.js';
import type { BenchOptions } from './options.js';

export interface Row {
  readonly id: string;
  readonly says: string;
  /** Left out unless a server is given. */
  readonly needsServer?: boolean;
  measure(options: BenchOptions): Promise<readonly Finding[]>;
}
