import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import express from 'express';
import { type AdminRoute, addGuardedRoutes } from '../../src/admin/permissions.js';
import { FEATURES } from '../../src/features/index.js';
import { mergeServices } from '../../src/web/services.js';
import { ROLES } from '../support/admin.js';

const without = (removed: string) => FEATURES.filter(({ name }) => name !== removed);

test('each folder of a feature is in the list, under its name', () => {
  const entries = readdirSync(new URL('../../src/features/', import.meta.url), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);

  expect(FEATURES.map(({ name }) => name).sort()).toEqual(folders.sort());
});

test('each feature can be removed alone, unless another one names it as needed', () => {
  const needed = new Set(FEATURES.flatMap(({ needs = [] }) => needs));

  for (const { name } of FEATURES) {
    const merge = () => mergeServices(without(name));
    if (needed.has(name)) expect(merge).toThrow(`needs the feature ${name}, which is not in src/features/index.ts`);
    else expect(merge).not.toThrow();
  }
});

test('a service that two features provide is refused by its name', () => {
  const provides = { payPath: () => undefined };
  const merge = () =>
    mergeServices([
      { name: 'pay-link', provides },
      { name: 'own-link', provides },
    ]);

  expect(merge).toThrow('the feature own-link provides payPath, as another feature does');
});

test('a route of the back office that is listed twice is refused', () => {
  const route: AdminRoute = { get: '/admin/sales', roles: ROLES, handler: (_req, res) => void res.end() };

  expect(() => addGuardedRoutes(express(), [route, route])).toThrow('the route GET /admin/sales is listed twice');
});
