import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createLog } from '../src/log.js';
import { LOG_FIELDS, type LogEvent, type LogFields } from '../src/shop/rules/event-log.js';

/** Returns the line of one event. The casts allow what the compiler refuses, because the log must not rely on types. */
function write(fields?: object, event = 'order.changed'): string {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString('utf8'));
      done();
    },
  });
  createLog('info', stream).info(event as LogEvent, fields as LogFields);
  return lines.join('');
}

const EMPTY = { level: 30, time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/), msg: 'order.changed' };

test('a log line holds the time, the level, the event and the fields of the list, and nothing of the machine', () => {
  const fields = { order: 'TG-7KMX-2AFR', from: 'pending', to: 'paid', durationMs: 12, status: 200 };

  expect(JSON.parse(write(fields))).toEqual({ ...EMPTY, ...fields });
});

test('a log line has no field that is not on the list, and at most 200 characters of a text', () => {
  const personal = { email: 'eva@example.com', token: 'order-token', cookie: 'sid=1', body: '{}' };
  const nested = { headers: { authorization: 'Token key' }, err: new Error('with the key') };
  const line = write({ ...personal, ...nested, reason: 'x'.repeat(100_000) });

  expect(JSON.parse(line)).toEqual({ ...EMPTY, reason: 'x'.repeat(200) });
});

test('a log line keeps texts and numbers only, also in fields of the list', () => {
  const reason = Object.assign(new Error('secret text'), { config: { headers: 'Token key' } });
  const line = write({ reason, code: { deep: 'secret' }, url: ['secret'], order: null, attempt: undefined });

  expect(JSON.parse(line)).toEqual(EMPTY);
  expect(line).not.toContain('secret');
});

test('a log line shows no card number in any field, in any grouping, at any place', () => {
  const numbers = fc.constantFrom(
    '4111111111111111',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    '4111\t1111\t1111\t1111',
    '4111 \u00a01111–1111—1111',
    '３７８２８２２４６３１０００５',
    '5017-3321-0098-4410',
  );
  const field = fc.constantFrom(...LOG_FIELDS);
  const around = fc.string({ maxLength: 210 }).map((text) => text.replace(/\d/g, 'x'));
  fc.assert(
    fc.property(fc.tuple(around, numbers, around), field, (pieces, name) => {
      const line = write({ [name]: pieces.join('') }).replace(/"time":"[^"]*"/, '');

      // Neither the whole number nor a part of it at the cut of a long text.
      expect(line.normalize('NFKC').replace(/[^0-9]/g, '')).not.toMatch(/[0-9]{5}/);
    }),
    { numRuns: 300 },
  );
});

test('a log line is one line without control characters, whatever is written', () => {
  const controls = ['\n', '\r', '\u0000', '\u001b[31m', '\u0085', '\u2028', '\u2029', '\u202e', '\ud835'];
  const hostile = fc.array(fc.constantFrom(...controls, '"', '\\', 'a', '{"level":60}'), { maxLength: 20 });
  fc.assert(
    fc.property(hostile, hostile, (pieces, others) => {
      const line = write({ reason: pieces.join('') }, `event ${others.join('')}`);

      expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
      expect(line.endsWith('\n')).toBe(true);
      const { reason, msg } = JSON.parse(line);
      expect(`${reason}${msg}`).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u);
    }),
    { numRuns: 300 },
  );
});
