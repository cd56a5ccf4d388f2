/** One file of TypeScript, to be read as a tree and cut as text. */
import { posix } from 'node:path';
import ts from 'typescript';

/** Paths below the project's folder, with the text of each file. */
export type Files = ReadonlyMap<string, string>;

export interface Range {
  readonly start: number;
  readonly end: number;
}

const parsed = new Map<string, ts.SourceFile>();

export function parse(text: string): ts.SourceFile {
  const source = parsed.get(text) ?? ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  parsed.set(text, source);
  return source;
}

export function isCode(path: string): boolean {
  return path.endsWith('.ts');
}

/** The text without these ranges; one that lies inside another goes with it. */
export function cutRanges(text: string, ranges: readonly Range[]): string {
  let rest = '';
  let from = 0;
  for (const { start, end } of [...ranges].sort(
    (one, other) => one.start - other.start || other.end - one.end,
  )) {
    if (start >= from) rest += text.slice(from, start);
    from = Math.max(from, end);
  }
  return rest + text.slice(from);
}

/** A node with the comments above it and the comma behind it; above an import stands what is said of the whole file. */
export function rangeOf(node: ts.Node): Range {
  const source = node.getSourceFile();
  const start = ts.isImportDeclaration(node) ? node.getStart(source) : node.getFullStart();
  const [comma = ''] = /^\s*,/.exec(source.text.slice(node.end)) ?? [];
  const [line = ''] = ts.isImportDeclaration(node) ? (/^\n/.exec(source.text.slice(node.end)) ?? []) : [];
  return { start, end: node.end + comma.length + line.length };
}

/** Every node below, and the node itself. */
export function* nodesIn(node: ts.Node): Generator<ts.Node> {
  yield node;
  for (const child of childrenOf(node)) yield* nodesIn(child);
}

export function childrenOf(node: ts.Node): readonly ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    children.push(child);
  });
  return children;
}

/** The names that a statement declares. */
export function namesDeclared(statement: ts.Node): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) =>
      [...nodesIn(name)].filter(ts.isIdentifier).map(({ text }) => text),
    );
  }
  return isNamedDeclaration(statement) && statement.name ? [statement.name.text] : [];
}

function isNamedDeclaration(
  node: ts.Node,
): node is ts.FunctionDeclaration | ts.ClassDeclaration | ts.InterfaceDeclaration | ts.TypeAliasDeclaration {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  );
}

export function exportKeywordOf(statement: ts.Node): ts.Node | undefined {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  return modifiers.find(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

/** A name that one file takes from another file of the project. */
export interface Taken {
  readonly node: ts.ImportSpecifier;
  readonly from: string;
  readonly name: string;
  readonly as: string;
}

/** What a file imports by name from the project's own files. */
export function takenBy(path: string, source: ts.SourceFile): readonly Taken[] {
  return source.statements.filter(ts.isImportDeclaration).flatMap((statement) => {
    const { text: specifier } = statement.moduleSpecifier as ts.StringLiteral;
    const bindings = statement.importClause?.namedBindings;
    if (!specifier.startsWith('.') || !bindings || !ts.isNamedImports(bindings)) return [];
    const from = posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts');
    return bindings.elements.map((node) => ({
      ...{ node, from },
      name: (node.propertyName ?? node.name).text,
      as: node.name.text,
    }));
  });
}

/** How a name of a file is spelled where all files are meant. */
export function fullName(path: string, name: string): string {
  return `${path}#${name}`;
}
