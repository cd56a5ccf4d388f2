import { expect, test } from '@jest/globals';
import LibSql from 'libsql';

test('matchers accept values and errors of the worker, in which packages and test files run', async () => {
  const fail = () => new LibSql(':memory:').exec('select');

  expect({ text: 'a', list: [1], at: new Date() }).toEqual({
    text: expect.any(String),
    list: expect.any(Array),
    at: expect.any(Date),
  });
  expect(fail).toThrow(Error);
  await expect(Promise.resolve().then(fail)).rejects.toThrow(Error);
});
