import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LOG_FIELDS, type LogEvent, type LogFields } from '../src/domain/event-log.js';
import { createLog } from '../src/log.js';

/** What one event leaves behind, as text. */
function write(fields?: object, event = 'order.changed'): string {
  const lines: string[] = [];
  const log = createLog('info', collect(lines));
  // What the compiler refuses is written all the same: the log must not count on it.
  log.info(event as LogEvent, fields as LogFields);
  return lines.join('');
}

function collect(lines: string[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString('utf8'));
      done();
    },
  });
}

describe('a log line', () => {
  test('holds the time, the level, the event and the fields of the list, and nothing of the machine', () => {
    const line = write({ order: 'TG-7KMX-2AFR', from: 'pending', to: 'paid', ms: 12, status: 200 });

    expect(JSON.parse(line)).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      order: 'TG-7KMX-2AFR',
      from: 'pending',
      to: 'paid',
      ms: 12,
      status: 200,
      msg: 'order.changed',
    });
  });

  test('holds what is on every line of its log, and keeps the rules for it', () => {
    const lines: string[] = [];
    const log = createLog('info', collect(lines)).with({ requestId: 'a\nb' }).with({ order: 'TG-7KMX-2AFR' });

    log.warn('lookup.failed', { code: 'timeout' });

    expect(JSON.parse(lines.join(''))).toMatchObject({
      requestId: 'a b',
      order: 'TG-7KMX-2AFR',
      code: 'timeout',
      msg: 'lookup.failed',
    });
  });

  test('has no field for anything that is not on the list', () => {
    const line = write({
      email: 'eva@example.com',
      token: 'order-token',
      cookie: 'sid=1',
      headers: { authorization: 'Token key' },
      body: '{}',
      err: new Error('with the key'),
      where: '/orders/secret',
      reason: 'kept',
    });

    expect(JSON.parse(line)).toEqual({
      level: 30,
      time: expect.any(String),
      msg: 'order.changed',
      reason: 'kept',
    });
  });

  test('keeps texts and numbers only, also in fields of the list', () => {
    const error = Object.assign(new Error('secret text'), { config: { headers: 'Token key' } });
    const line = write({
      reason: error,
      code: { deep: 'secret' },
      url: ['secret'],
      order: null,
      attempt: undefined,
    });

    expect(JSON.parse(line)).toEqual({ level: 30, time: expect.any(String), msg: 'order.changed' });
    expect(line).not.toContain('secret');
  });

  test('shows no card number in any field, in any grouping, at any place', () => {
    const places = fc.constantFrom(
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
      fc.property(fc.tuple(around, places, around), field, (pieces, name) => {
        const line = write({ [name]: pieces.join('') });

        // Neither whole nor cut off at the end of a long text.
        expect(
          line
            .replace(/"time":"[^"]*"/, '')
            .normalize('NFKC')
            .replace(/[^0-9]/g, ''),
        ).not.toMatch(/[0-9]{5}/);
      }),
      { numRuns: 500 },
    );
  });

  test('shows no card number as a number or in the event’s name', () => {
    expect(write({ count: 4_111_111_111_111_111, durationMs: -4_111_111_111_111 })).not.toContain('4111');
    expect(write({}, 'paid 4111 1111 1111 1111')).not.toContain('1111');
    expect(JSON.parse(write({ count: 999_999_999_999, durationMs: 1.5 }))).toMatchObject({
      count: 999_999_999_999,
      durationMs: 1.5,
    });
  });

  test('leaves the names of things whole, so that they can be looked for', () => {
    for (let times = 0; times < 2000; times += 1) {
      const attempt = randomUUID();
      expect(JSON.parse(write({ attempt }))).toMatchObject({ attempt });
    }
  });

  test('is one line without control characters, whatever is written', () => {
    const nasty = fc.array(
      fc.constantFrom(
        '\n',
        '\r',
        '\u0000',
        '\u001b[31m',
        '\u0085',
        '\u2028',
        '\u2029',
        '\u202e',
        '\ud835',
        '"',
        '\\',
        'a',
        '{"level":60}',
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(nasty, nasty, (pieces, others) => {
        const line = write({ reason: pieces.join('') }, `event ${others.join('')}`);

        expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
        expect(line.endsWith('\n')).toBe(true);
        const { reason, msg } = JSON.parse(line);
        expect(`${reason}${msg}`).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: 500 },
    );
  });

  test('cuts a long text', () => {
    expect(JSON.parse(write({ reason: 'x'.repeat(100_000) })).reason).toHaveLength(200);
  });
});

describe('the level', () => {
  test('silences what is below it', () => {
    const lines: string[] = [];
    const log = createLog('warn', collect(lines));

    log.info('order.placed');
    log.warn('webhook.rejected');
    log.error('request.failed');

    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['webhook.rejected', 'request.failed']);
  });
});
