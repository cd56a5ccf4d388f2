import { Writable } from 'node:stream';
import supertest from 'supertest';
import { createApp } from '../../src/app.js';
import { createLog } from '../../src/log.js';
import type { WebContext } from '../../src/web/web-context.js';
import { until } from './crowd.js';

const LEVELS: Readonly<Record<number, string>> = { 20: 'debug', 30: 'info' };

/** Reads each path of a shop with this context. Returns the levels of their lines `request.completed`. */
export async function levelsOfRequests(web: WebContext, ...paths: readonly string[]) {
  const levels: (string | undefined)[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const { level, msg } = JSON.parse(chunk.toString('utf8')) as { readonly level: number; readonly msg: string };
      if (msg === 'request.completed') levels.push(LEVELS[level]);
      done();
    },
  });
  const app = createApp({ ...web, checkout: { ...web.checkout, log: createLog('debug', stream) } });
  for (const [index, path] of paths.entries()) {
    await supertest(app).get(path);
    // A request is logged after its answer is sent.
    await until(() => levels.length > index);
  }
  return levels;
}
