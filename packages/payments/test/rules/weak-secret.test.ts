import { expect, test } from '@jest/globals';
import { secretProblem } from '../../src/rules/weak-secret.js';

const problemOf = (secret: string) => secretProblem('SESSION_SECRET', secret, ['Luz de Papel', 'tienda.example']);

test('a secret of common words and a shop name with short words is guessable', () => {
  expect(problemOf('clave secreta de la tienda Luz de Papel 2026')).toBe('guessable');
  expect(problemOf('clave-secreta-de-Papel-y-Luz-2026')).toBe('guessable');
  expect(problemOf('Luz de Papel x7Qm2vR9kT4w')).toBeUndefined();
});
