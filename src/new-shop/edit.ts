/** One exact change of a text. */
export interface Edit {
  readonly path: string;
  /** Stands in the file once, word for word. */
  readonly find: string;
  readonly put: string;
}

/** The texts after the edits, in their order. Throws, naming the file, when a text is not found or found twice. */
export function applyEdits(files: ReadonlyMap<string, string>, edits: readonly Edit[]): Map<string, string> {
  const edited = new Map(files);
  for (const { path, find, put } of edits) {
    const parts = (edited.get(path) ?? '').split(find);
    if (parts.length !== 2) throw new Error(`${path} holds ${parts.length - 1} times, not once: ${find}`);
    edited.set(path, parts.join(put));
  }
  return edited;
}
