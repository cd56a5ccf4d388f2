/** Takes named things out of a file: declarations, members, and texts by their keys. */
import ts from 'typescript';
import { cutRanges, namesDeclared, nodesIn, parse, rangeOf } from './source.js';

/** The text without the declarations, members and properties of these names. Throws when there is none of a name. */
export function cutNames(text: string, names: readonly string[]): string {
  return cut(text, names, (node) => [...namesDeclared(node), memberName(node)]);
}

/** The text without the properties at these places: `one.two` of `{ one: { two: … } }`. Throws when one is not there. */
export function cutKeys(text: string, keys: readonly string[]): string {
  return cut(text, keys, (node) => [keyOf(node)]);
}

function cut(
  text: string,
  names: readonly string[],
  namesOf: (node: ts.Node) => readonly (string | undefined)[],
): string {
  const found = new Set<string>();
  const doomed = [...nodesIn(parse(text))].filter((node) => {
    const name = namesOf(node).find((one) => one !== undefined && names.includes(one));
    if (name !== undefined) found.add(name);
    return name !== undefined;
  });
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`there is no ${missing.join(', ')}`);
  return cutRanges(text, doomed.map(rangeOf));
}

/** The name of a property or a method, wherever it stands. */
function memberName(node: ts.Node): string | undefined {
  const isMember = ts.isObjectLiteralElementLike(node) || ts.isTypeElement(node) || ts.isClassElement(node);
  if (!isMember || !node.name) return undefined;
  return ts.isIdentifier(node.name) || ts.isStringLiteral(node.name) ? node.name.text : undefined;
}

function keyOf(node: ts.Node): string | undefined {
  const name = memberName(node);
  if (name === undefined || !ts.isObjectLiteralExpression(node.parent)) return undefined;
  const above = keyOf(node.parent.parent);
  return above === undefined ? name : `${above}.${name}`;
}
