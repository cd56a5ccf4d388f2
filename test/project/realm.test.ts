import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import express from 'express';
import LibSql from 'libsql';

test('errors of Node are instances of Error, and of no other class', async () => {
  const failed: unknown = await fetch('http://127.0.0.1:1').catch((error: unknown) => error);
  const read = () => readFileSync('/absent');

  expect(failed instanceof Error && failed.cause instanceof Error).toBe(true);
  expect(read).toThrow(Error);
  expect(failed instanceof RangeError || {} instanceof Error).toBe(false);
});

test('packages accept literals of a test file, and their errors are instances of Error', () => {
  const route = () => express().get(/^\/a$/, (_req, res) => res.end());
  const fail = () => new LibSql(':memory:').exec('select');

  expect(route).not.toThrow();
  expect(fail).toThrow(Error);
});
