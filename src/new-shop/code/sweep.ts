/** Takes out what nothing uses any more. */
import ts from 'typescript';
import {
  cutRanges,
  exportKeywordOf,
  type Files,
  fullName,
  isCode,
  namesDeclared,
  nodesIn,
  parse,
  type Range,
  rangeOf,
  takenBy,
} from './source.js';
import { isGroup, isInGroup } from './tests.js';

/**
 * The files without the imports, declarations and exports that are of no use after a change, and were before. What was
 * idle already stays as it was.
 */
export function sweep(before: Files, after: Files): Map<string, string> {
  const rest = new Map(after);
  const wasTaken = allTaken(before);
  for (let changes = 1; changes > 0; ) changes = sweepOnce(before, rest, wasTaken);
  return withoutEmptyFiles(before, rest);
}

/** How many files it took something out of. */
function sweepOnce(before: Files, rest: Map<string, string>, wasTaken: ReadonlySet<string>): number {
  const taken = allTaken(rest);
  const lost = new Set([...wasTaken].filter((name) => !taken.has(name)));
  const [giving, losing] = [pathsOf(taken), pathsOf(lost)];
  const isConcerned = (path: string) => before.get(path) !== rest.get(path) || losing.has(path);
  const paths = [...rest.keys()].filter((path) => isCode(path) && isConcerned(path));
  return paths.filter((path) => {
    // Others took something from the file, and nobody does any more.
    if (losing.has(path) && !giving.has(path)) return rest.delete(path);
    return sweepFile(rest, path, { before: before.get(path) ?? '', lost, taken });
  }).length;
}

function pathsOf(names: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...names].map((name) => name.slice(0, name.indexOf('#'))));
}

/** Every name that one file takes from another. */
function allTaken(files: Files): ReadonlySet<string> {
  const taken = [...files].flatMap(([path, text]) =>
    isCode(path) ? takenBy(path, parse(text)).map(({ from, name }) => fullName(from, name)) : [],
  );
  return new Set(taken);
}

interface Use {
  /** The file before anything was changed. */
  readonly before: string;
  /** Names that were taken by other files and are no more. */
  readonly lost: ReadonlySet<string>;
  readonly taken: ReadonlySet<string>;
}

/** Whether there was anything to take out of the file. */
function sweepFile(rest: Map<string, string>, path: string, use: Use): boolean {
  const text = rest.get(path) ?? '';
  const source = parse(text);
  const used = namesUsedIn(source);
  const known = { ...use, path, used, usedBefore: namesUsedIn(parse(use.before)) };
  const ranges = [...source.statements, ...helpersInGroups(source)].flatMap((statement) =>
    ts.isImportDeclaration(statement) ? idleImports(statement, used) : idleParts(statement, known),
  );
  if (ranges.length > 0) rest.set(path, cutRanges(text, ranges));
  return ranges.length > 0;
}

type Known = Use & {
  readonly path: string;
  readonly used: Uses;
  readonly usedBefore: Uses;
};

/** What of a declaration is of no use any more: all of it, the word `export`, or nothing. */
function idleParts(statement: ts.Node, { path, used, usedBefore, lost, taken }: Known): readonly Range[] {
  const names = namesDeclared(statement);
  const areIn = (full: ReadonlySet<string>) => names.some((name) => full.has(fullName(path, name)));
  if (names.length === 0 || areIn(taken)) return [];
  const isUsed = (name: string) => used.get(name)?.some((node) => !isInside(node, statement));
  if (names.some(isUsed)) return areIn(lost) ? idleExport(statement) : [];
  const wasOfUse = areIn(lost) || names.some((name) => usedBefore.has(name));
  return wasOfUse || !exportKeywordOf(statement) ? [rangeOf(statement)] : [];
}

/** The word `export` of what only its own file uses; types may keep it. */
function idleExport(statement: ts.Node): readonly Range[] {
  const keyword = exportKeywordOf(statement);
  const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
  return keyword && !isType ? [{ start: keyword.getStart(), end: keyword.end + 1 }] : [];
}

/** Helpers beside the tests of a group. What is in use by being there, `using`, is none. */
function helpersInGroups(source: ts.SourceFile): readonly ts.Node[] {
  const helpers = source.statements.filter(isGroup).flatMap((group) => [...nodesIn(group)].filter(isInGroup));
  return helpers.filter(
    (node) =>
      ts.isFunctionDeclaration(node) ||
      (ts.isVariableStatement(node) &&
        (node.declarationList.flags & ts.NodeFlags.Using) !== ts.NodeFlags.Using),
  );
}

function idleImports(statement: ts.ImportDeclaration, used: Uses): readonly Range[] {
  const { name, namedBindings: bindings } = statement.importClause ?? {};
  const named = bindings && ts.isNamedImports(bindings) ? bindings.elements : [];
  const whole = bindings && ts.isNamespaceImport(bindings) ? [bindings] : [];
  const all = [...(name ? [{ name }] : []), ...whole, ...named];
  const isIdle = (one: { readonly name: ts.Identifier }) => !used.has(one.name.text);
  if (statement.importClause && all.every(isIdle)) return [rangeOf(statement)];
  const idle = named.filter(isIdle);
  if (!name || !bindings || idle.length < named.length) return idle.map(rangeOf);
  return [{ start: name.end, end: bindings.end }];
}

type Uses = ReadonlyMap<string, readonly ts.Node[]>;

/** Where each name is used as a value or a type: not where it is declared, nor as a member of something else. */
function namesUsedIn(source: ts.SourceFile): Uses {
  const used = new Map<string, ts.Node[]>();
  for (const node of nodesIn(source)) {
    if (ts.isIdentifier(node) && !isNameOnly(node))
      used.set(node.text, [...(used.get(node.text) ?? []), node]);
  }
  return used;
}

function isInside(node: ts.Node, outer: ts.Node): boolean {
  return node.pos >= outer.pos && node.end <= outer.end;
}

function isNameOnly(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent)) return false;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isImportSpecifier(parent) || ts.isImportClause(parent) || ts.isNamespaceImport(parent)) return true;
  if (ts.isBindingElement(parent)) return parent.initializer !== node;
  return 'name' in parent && parent.name === node;
}

/** A file that had declarations and has none any more goes. */
function withoutEmptyFiles(before: Files, after: Map<string, string>): Map<string, string> {
  for (const [path, text] of [...after]) {
    if (!isCode(path) || before.get(path) === text) continue;
    if (parse(text).statements.every(ts.isImportDeclaration)) after.delete(path);
  }
  return after;
}
