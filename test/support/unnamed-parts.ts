/** Views and messages that no other file names. After the removal of a feature, these were its own. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Read by its path, not by its name. */
const MAIL = 'mail/mail';

function filesIn(project: string, folder: string, ending: string): readonly string[] {
  const files = readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith(ending)).map((file) => join(project, folder, file));
}

const localesIn = (project: string) => ['es-mx', 'en'].map((name) => join(project, `src/locales/${name}.ts`));

/** Returns the text of all files that may name a view or a message. */
function readNames(project: string): string {
  const files = [...filesIn(project, 'src', '.ts'), ...filesIn(project, 'views', '.ejs')];
  const naming = files.filter((file) => !localesIn(project).includes(file));
  return naming.map((file) => readFileSync(file, 'utf8')).join('\n');
}

/** Deletes the views that no file names, and then those that only these included. Returns their names. */
export function deleteUnnamedViews(project: string): readonly string[] {
  const text = readNames(project);
  const views = filesIn(project, 'views', '.ejs').map((file) =>
    file.slice(join(project, 'views/').length, -'.ejs'.length),
  );
  const unnamed = views.filter(
    (view) => view !== MAIL && ![`'${view}'`, `'/${view}'`].some((name) => text.includes(name)),
  );
  for (const view of unnamed) rmSync(join(project, 'views', `${view}.ejs`));
  return unnamed.length === 0 ? [] : [...unnamed, ...deleteUnnamedViews(project)];
}

/** Deletes the messages that no file names, in all locales. Returns their keys. */
export function deleteUnnamedMessages(project: string): readonly string[] {
  const named = new Set(readNames(project).match(NAMED));
  const deleted = localesIn(project).map((file) => deleteMessages(file, (key) => isNamed(named, key)));
  return [...new Set(deleted.flat())];
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

function deleteMessages(file: string, isKept: (key: string) => boolean): readonly string[] {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const messages = source.statements.find(ts.isVariableStatement)?.declarationList.declarations[0]?.initializer;
  if (!messages || !ts.isObjectLiteralExpression(messages)) throw new Error(`${file} has no messages`);
  const deleted: string[] = [];
  /** Returns the properties to delete in their order. A section without any message left is deleted as a whole. */
  const unnamedIn = (section: ts.ObjectLiteralExpression, path: string): readonly ts.PropertyAssignment[] =>
    section.properties.filter(ts.isPropertyAssignment).flatMap((property) => {
      const { name, initializer } = property;
      const key = path + name.getText().replaceAll("'", '');
      if (ts.isObjectLiteralExpression(initializer)) {
        const unnamed = unnamedIn(initializer, `${key}.`);
        return initializer.properties.every((each) => unnamed.some((other) => other === each)) ? [property] : unnamed;
      }
      const isText = ts.isStringLiteralLike(initializer) || ts.isTemplateExpression(initializer);
      if (!isText || isKept(key)) return [];
      deleted.push(key);
      return [property];
    });
  const comma = 1;
  const left = unnamedIn(messages, '').reduceRight(
    (rest, property) => rest.slice(0, property.getFullStart()) + rest.slice(property.end + comma),
    text,
  );
  writeFileSync(file, left);
  return deleted;
}
