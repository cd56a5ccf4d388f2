/** What in a file is a test, and what a group of tests. */
import ts from 'typescript';
import { childrenOf } from './source.js';

export function isTest(node: ts.Node): boolean {
  return /^(?:test|it)$/.test(calledBy(node));
}

export function isGroup(node: ts.Node): boolean {
  return calledBy(node) === 'describe';
}

/** The function that a statement calls, `test` of `test.each(…)(…)`. */
function calledBy(node: ts.Node): string {
  if (!ts.isExpressionStatement(node)) return '';
  let called: ts.Node = node.expression;
  while (ts.isCallExpression(called) || ts.isPropertyAccessExpression(called)) called = called.expression;
  return ts.isIdentifier(called) ? called.text : '';
}

/** Whether a statement stands in a group itself, not in one of its tests. */
export function isInGroup(node: ts.Node): boolean {
  const body = node.parent;
  const call = body.parent?.parent;
  return ts.isBlock(body) && call !== undefined && ts.isCallExpression(call) && isGroup(call.parent);
}

/** How many tests are in it; a table of them is one. */
export function countTests(node: ts.Node): number {
  return (isTest(node) ? 1 : 0) + childrenOf(node).reduce((sum, child) => sum + countTests(child), 0);
}
