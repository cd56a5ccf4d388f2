/** The service's addresses for a merchant's server, and the vault's for a shopper's browser. */
import { randomUUID } from 'node:crypto';
import express, { type RequestHandler, type Router } from 'express';
import { defaults } from './defaults.js';
import {
  createSessionCall,
  processCall,
  readSessionCall,
  readTransactionCall,
  tokenizationAuthCall,
  tokenizeCall,
} from './endpoints.js';
import { listenIn } from './listen-in.js';
import { notFound, refusalBody } from './refusal.js';
import { serve } from './serve.js';
import type { World } from './world.js';

/** The interface document shows two address forms for sessions; both are answered. */
const sessionPaths = ['/checkout/v1/sessions', '/api/v1/checkout/v1/sessions'];

export function apiRoutes(world: World): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router.use(['/checkout/v1', '/api/v1', '/vault/v1'], express.text({ type: () => true, limit: '1mb' }));
  for (const path of sessionPaths) {
    router.post(path, serve(world, 'create-session', createSessionCall));
    router.get(`${path}/:id`, serve(world, 'read-session', readSessionCall));
  }
  router.post('/api/v1/process/', serve(world, 'process', processCall));
  router.get('/api/v1/transactions/:id/', serve(world, 'read-transaction', readTransactionCall));
  router.post('/api/v1/tokenization/auth/', serve(world, 'tokenization-auth', tokenizationAuthCall));
  router.options(defaults.vaultPath, openToBrowsers, (_req, res) => res.sendStatus(204));
  router.post(defaults.vaultPath, openToBrowsers, serve(world, 'tokenize', tokenizeCall));
  router.use(['/checkout/v1', '/api/v1', '/vault/v1'], (req, res) => {
    listenIn(world, { req, res });
    const { reason } = notFound('address');
    res.status(reason.status).json(refusalBody(reason, randomUUID()));
  });
  return router;
}

/** The card page of any shop may call the vault. */
const openToBrowsers: RequestHandler = (_req, res, next) => {
  res.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'POST, OPTIONS',
    'Access-Control-Allow-Headers': 'Content-Type, Authorization, X-Skyflow-Authorization',
    'Access-Control-Max-Age': '600',
  });
  next();
};
