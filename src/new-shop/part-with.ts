import { cutKeys, cutNames } from './code/cut.js';
import { type Marks, prune } from './code/prune.js';
import type { Files } from './code/source.js';
import { sweep } from './code/sweep.js';
import { GUIDE, GUIDE_TEST, tidyDocuments, withoutSection } from './documents.js';
import { applyEdits } from './edit.js';
import { CHOICE, CHOICE_MARKS, CHOICE_TEST } from './ways/one-way.js';
import type { Parting } from './ways/parting.js';

const WORDS = ['src/words/es-mx.ts', 'src/words/en.ts'];

/** The project without a way to pay: what it was made of, what showed that it works, and what nothing uses any more. */
export function partWith(files: Files, parting: Parting): Map<string, string> {
  const edited = applyEdits(files, [...parting.edits, ...CHOICE]);
  for (const path of [...parting.files, CHOICE_TEST]) {
    if (!edited.delete(path)) throw new Error(`${path} is not there`);
  }
  edited.delete(GUIDE_TEST);
  for (const [path, names] of Object.entries(parting.names)) {
    edited.set(path, cutNames(edited.get(path) ?? '', names));
  }
  for (const path of WORDS) edited.set(path, cutKeys(edited.get(path) ?? '', parting.words));
  edited.set(GUIDE, withoutSection(edited.get(GUIDE) ?? '', 'Only the hosted page, or only cards'));
  const marks = joined(parting.marks, CHOICE_MARKS);
  const lean = sweepSource(files, edited);
  return tidyDocuments(files, sweep(files, prune(lean, { before: files, isPruned, marks })));
}

/** What only tests would still use is of no use: it goes, and its tests go with it. */
function sweepSource(before: Files, after: Files): Map<string, string> {
  const sourceOf = (files: Files) => new Map([...files].filter(([path]) => path.startsWith('src/')));
  const others = [...after].filter(([path]) => !path.startsWith('src/'));
  return new Map([...others, ...sweep(sourceOf(before), sourceOf(after))]);
}

function joined(one: Marks, other: Marks): Marks {
  return {
    names: [...one.names, ...other.names],
    texts: new RegExp(`${one.texts.source}|${other.texts.source}`),
  };
}

/** What shows or measures how the shop works; the simulator is the service's part, and stays whole with its tests. */
function isPruned(path: string): boolean {
  return (
    /^(?:test|src\/(?:drill|bench))\//.test(path) && !/^test\/(?:simulator|contract|new-shop)\//.test(path)
  );
}
