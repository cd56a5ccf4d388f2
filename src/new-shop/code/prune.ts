/** Takes out of tests and tools whatever has to do with a thing that is gone, in the smallest whole pieces. */
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
import { countTests, isGroup, isInGroup, isTest } from './tests.js';

/** By what a thing is known. */
export interface Marks {
  /** Names in the code. */
  readonly names: readonly string[];
  /** What texts in the code hold. */
  readonly texts: RegExp;
}

/** What is to be pruned, and how the project was before anything was taken out of it. */
export interface Pruning {
  readonly before: Files;
  readonly isPruned: (path: string) => boolean;
  readonly marks: Marks;
}

/**
 * The files without the tests, rows of tables, members and declarations that mention the marks, or what is there no
 * more, and so on until nothing mentions anything that is gone. A test file without a test goes whole.
 */
export function prune(files: Files, { before, isPruned, marks }: Pruning): Map<string, string> {
  const rest = new Map(files);
  const gone: Gone = { exports: lostExports(before, files), members: new Set(), ids: new Set(), marks };
  for (let known = -1; known !== sizeOf(gone); ) {
    known = sizeOf(gone);
    for (const path of [...rest.keys()].filter((one) => isPruned(one) && isCode(one)))
      pruneFile(rest, gone, path);
  }
  return rest;
}

/** What may be mentioned no more. */
interface Gone {
  readonly marks: Marks;
  /** Names that a file gave to others. */
  readonly exports: Set<string>;
  /** Names of members, wherever their classes are used. */
  readonly members: Set<string>;
  /** What a declaration says it is, `id: 'one'`, where tests name it. */
  readonly ids: Set<string>;
}

function sizeOf({ exports, members, ids }: Gone): number {
  return exports.size + members.size + ids.size;
}

function lostExports(before: Files, after: Files): Set<string> {
  const exportsOf = (path: string, text: string) =>
    parse(text)
      .statements.filter(exportKeywordOf)
      .flatMap(namesDeclared)
      .map((name) => fullName(path, name));
  const changed = [...before].filter(([path, text]) => isCode(path) && after.get(path) !== text);
  const left = new Set(changed.flatMap(([path]) => exportsOf(path, after.get(path) ?? '')));
  return new Set(changed.flatMap(([path, text]) => exportsOf(path, text)).filter((name) => !left.has(name)));
}

/** Cuts one file until it mentions nothing more that is gone, and tells what it does not have any more. */
function pruneFile(rest: Map<string, string>, gone: Gone, path: string): void {
  const before = rest.get(path) ?? '';
  const names = new Set(gone.marks.names);
  let present = before;
  for (let cut = pruneOnce(path, present, { rest, gone, names }); cut !== present; ) {
    present = cut;
    cut = pruneOnce(path, present, { rest, gone, names });
  }
  if (present === before) return;
  present = withoutEmptyGroups(present);
  const isEmptied = countTests(parse(before)) > 0 && countTests(parse(present)) === 0;
  if (isEmptied) rest.delete(path);
  else rest.set(path, present);
}

function pruneOnce(
  path: string,
  text: string,
  { rest, gone, names }: { readonly rest: Files; readonly gone: Gone; readonly names: Set<string> },
): string {
  const source = parse(text);
  const ids = path.startsWith('test/') ? gone.ids : new Set<string>();
  const lost = takenBy(path, source).filter(
    ({ from, name }) => !rest.has(from) || gone.exports.has(fullName(from, name)),
  );
  addAll(
    names,
    lost.map(({ as }) => as),
  );
  const doomed = doomedBy(source, (node) => isGone(node, { ...gone, names, ids }));
  const exported = doomed.filter(exportKeywordOf).flatMap(declaredBy);
  addAll(names, doomed.flatMap(declaredBy));
  addAll(gone.members, doomed.flatMap(membersLostWith));
  addAll(gone.ids, doomed.filter(ts.isVariableStatement).flatMap(idsIn));
  addAll(
    gone.exports,
    exported.map((name) => fullName(path, name)),
  );
  return cutRanges(text, [...doomed, ...lost.map(({ node }) => node)].map(rangeOf));
}

function addAll(set: Set<string>, names: readonly string[]): void {
  for (const name of names) set.add(name);
}

function membersLostWith(piece: ts.Node): readonly string[] {
  return ts.isClassLike(piece.parent) && ts.isClassElement(piece) && piece.name ? [piece.name.getText()] : [];
}

function idsIn(piece: ts.Node): readonly string[] {
  return [...nodesIn(piece)]
    .filter(ts.isPropertyAssignment)
    .filter(({ name }) => name.getText() === 'id')
    .flatMap(({ initializer }) => (ts.isStringLiteral(initializer) ? [initializer.text] : []));
}

function declaredBy(piece: ts.Node): readonly string[] {
  return ts.isStatement(piece) ? namesDeclared(piece) : [];
}

function isGone(
  node: ts.Node,
  { names, members, ids, marks }: Gone & { readonly names: Set<string> },
): boolean {
  if (isText(node)) return marks.texts.test(node.text) || ids.has(node.text);
  if (!ts.isIdentifier(node) && !ts.isPrivateIdentifier(node)) return false;
  const isMember = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
  return names.has(node.text) || (isMember && members.has(node.text));
}

/** The smallest whole pieces around each mention; of a table with no row left, what the table is a part of. */
function doomedBy(source: ts.SourceFile, isMention: (node: ts.Node) => boolean): readonly ts.Node[] {
  const mentions = [...nodesIn(source)].filter(isMention);
  const pieces = new Set(mentions.flatMap((node) => pieceAround(node, isMention) ?? []));
  for (const { parent: table } of pieces) {
    const rows = rowsOf(table);
    const around = rows.length > 0 && rows.every((row) => pieces.has(row)) && pieceAround(table, isMention);
    if (around) pieces.add(around);
  }
  return [...pieces];
}

function isText(node: ts.Node): node is ts.LiteralLikeNode {
  return (
    ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isRegularExpressionLiteral(node)
  );
}

function pieceAround(node: ts.Node, isMention: (node: ts.Node) => boolean): ts.Node | undefined {
  for (let at = node; at.parent; at = at.parent) {
    if (ts.isImportDeclaration(at)) return undefined;
    if (isPiece(at) || isNamedSo(at, isMention)) return at;
  }
  return undefined;
}

/** What is given by a name that is gone, but for a setting: that is what a test is about. */
function isNamedSo(node: ts.Node, isMention: (node: ts.Node) => boolean): boolean {
  return ts.isPropertyAssignment(node) && isMention(node.name) && !isText(node.initializer);
}

function isPiece(node: ts.Node): boolean {
  const { parent } = node;
  if (rowsOf(parent).includes(node)) return isTable(parent) || isListOfTexts(parent);
  if (ts.isClassLike(parent) || ts.isTypeElement(node)) return true;
  if (!ts.isStatement(node) || ts.isBlock(node)) return false;
  return ts.isSourceFile(parent) || isTest(node) || isInGroup(node);
}

function rowsOf(table: ts.Node): readonly ts.Node[] {
  return ts.isArrayLiteralExpression(table) ? table.elements : [];
}

/** Addresses, for example; a row of a table is none. */
function isListOfTexts(list: ts.Node): boolean {
  return rowsOf(list).every(ts.isStringLiteralLike) && !ts.isArrayLiteralExpression(list.parent);
}

/** A list that stands by itself: a constant of the file, or what a test is run with. */
function isTable({ parent }: ts.Node): boolean {
  if (ts.isAsExpression(parent) || ts.isSatisfiesExpression(parent)) return isTable(parent);
  if (ts.isVariableDeclaration(parent)) return ts.isSourceFile(parent.parent.parent.parent);
  return ts.isCallExpression(parent) && parent.expression.getText().endsWith('.each');
}

function withoutEmptyGroups(text: string): string {
  const empty: Range[] = [...nodesIn(parse(text))]
    .filter((node) => isGroup(node) && countTests(node) === 0)
    .map(rangeOf);
  return cutRanges(text, empty);
}
