import type { Marks } from '../code/prune.js';
import type { Edit } from '../edit.js';

/** What leaves the project together with a way to pay. */
export interface Parting {
  /** What it is called where a merchant reads of it. */
  readonly says: string;
  readonly files: readonly string[];
  /** Declarations and members, by the file that holds them. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** Texts of either language, by their keys. */
  readonly words: readonly string[];
  /** The few places that name both ways. */
  readonly edits: readonly Edit[];
  /** By what tests, drill and bench show that they have to do with it. */
  readonly marks: Marks;
}
