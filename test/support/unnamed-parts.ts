/** Views and messages that no file names: nothing shows them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Read by its path, not by its name. */
const MAIL = 'mail/mail';
/** The tests of a room. */
const TEST = /^features\/[^/]+\/test\//;
/** The files that hold the messages. */
const MESSAGES = /(?:^|\/)(?:es-mx|en)(?:-admin)?\.ts$/;

function filesIn(project: string, folder: string, ending: string): readonly string[] {
  const files = readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' });
  const own = files.filter((file) => file.endsWith(ending) && !TEST.test(file));
  return own.map((file) => join(project, folder, file));
}

/** Returns the views of the core, and those of the rooms, with the name by which code and views mean them. */
export function viewsIn(project: string): readonly { readonly name: string; readonly file: string }[] {
  return ['views', 'src/features'].flatMap((folder) =>
    filesIn(project, folder, '.ejs').map((file) => ({
      name: file.slice(join(project, folder, '/').length, -'.ejs'.length),
      file,
    })),
  );
}

/** Returns the text of all files that may name a view or a message. */
function readNames(project: string): string {
  const files = [...filesIn(project, 'src', '.ts'), ...viewsIn(project).map(({ file }) => file)];
  return files
    .filter((file) => !MESSAGES.test(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

/** Returns the views that no file names. */
export function unnamedViews(project: string): readonly string[] {
  const text = readNames(project);
  const views = viewsIn(project).map(({ name }) => name);
  return views.filter((view) => view !== MAIL && ![`'${view}'`, `'/${view}'`].some((name) => text.includes(name)));
}

/** Returns those of these message keys that no file names. */
export function unnamedMessages(project: string, keys: Iterable<string>): readonly string[] {
  const named = new Set(readNames(project).match(NAMED));
  return [...keys].filter((key) => !isNamed(named, key));
}

/** A key in quotes, without the last quote, or the start of a key before a variable. */
const NAMED = /['`]?[\w.-]+(?:\.\$\{|(?=['`]))/g;

/** Returns whether the names have the key, or a section of it: before a variable, or in quotes if it has two parts or more. */
function isNamed(named: ReadonlySet<string>, key: string): boolean {
  const parts = key.replace(/_(?:one|many|other)$/, '').split('.');
  const sections = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'));
  const whole = parts.join('.');
  const names = [whole, ...sections.slice(1)].flatMap((name) => [`'${name}`, `\`${name}`]);
  names.push(...sections.flatMap((section) => [`${section}.\${`, `\`${section}.\${`]));
  return names.some((name) => named.has(name));
}
