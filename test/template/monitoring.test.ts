/** The alert rules. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

function read(name: string): string {
  return readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
}

const alerts = [...read('monitoring/alerts.yml').matchAll(/^ {6}- alert: (.+)$/gm)].map(([, alert = '']) => alert);

test('the alerts have names of their own, and every alert that the cases name exists', () => {
  const names = alerts.map((alert) => `\`${alert}\``);

  expect(names.length).toBeGreaterThan(15);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining([...(read('internals/cases.md').match(/`Tianguis[A-Z]\w+`/g) ?? [])]));
});
