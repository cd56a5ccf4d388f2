import { createServer } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import express, { type Express } from 'express';
import supertest from 'supertest';
import { classesOf } from '../../src/web/express-classes.js';

/** A server whose messages are made for this app, and the prototypes that they had when they came to a handler. */
function serverOf(app: Express) {
  const classes = classesOf(app);
  const seen: unknown[] = [];
  app.get('/', (req, res) => {
    seen.push(Object.getPrototypeOf(req), Object.getPrototypeOf(res));
    res.json({ asked: req.query['q'], here: req.app === app && res.app === app });
  });
  return { server: createServer(classes, app), classes, seen };
}

describe('messages that are made for an app', () => {
  test('keep the prototype that they were born with', async () => {
    const { server, classes, seen } = serverOf(express());

    await supertest(server).get('/');

    expect(seen).toHaveLength(2);
    expect(seen[0]).toBe(classes.IncomingMessage.prototype);
    expect(seen[1]).toBe(classes.ServerResponse.prototype);
  });

  test('are all that Express makes of its own, each for its app', async () => {
    const [one, other] = [serverOf(express()), serverOf(express())];

    const answers = [
      await supertest(one.server).get('/?q=cup'),
      await supertest(other.server).get('/?q=shawl'),
    ];

    expect(answers.map(({ body }) => body)).toEqual([
      { asked: 'cup', here: true },
      { asked: 'shawl', here: true },
    ]);
  });
});
