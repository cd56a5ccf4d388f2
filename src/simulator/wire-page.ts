/** The wire view: each exchange between shop and service, as it happens. */
import express, { type Router } from 'express';
import { streamEvents } from './event-stream.js';
import { exchangeRow } from './exchange-row.js';
import type { Exchange } from './exchanges.js';
import { frameOf } from './frame.js';
import type { Render } from './views.js';
import { wireModel } from './wire-model.js';
import type { World } from './world.js';

export function wirePage(world: World, render: Render): Router {
  const router = express.Router();
  router.get('/wire', (req, res) => {
    const frame = frameOf(req);
    res.send(render('wire', frame, wireModel(world, frame)));
  });
  router.get('/wire/events', (req, res) => {
    const frame = frameOf(req);
    const { exchanges, closing } = world;
    const rowOf = (exchange: Exchange) => exchangeRow(world, exchange, frame);
    streamEvents({ exchanges, rowOf, closing: closing.signal }, req, res);
  });
  return router;
}
