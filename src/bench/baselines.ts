/** What the shop is compared with, all of them sending the same bytes: `raw`, `express`, `usual`. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, dirname } from 'node:path';
import ejs from 'ejs';
import express from 'express';
import session from 'express-session';
import helmet from 'helmet';

const file = process.env['PAGE'] ?? '';
const page = readFileSync(file, 'utf8');
const port = Number(process.env['PORT']);

/** Node's own server and nothing else. */
function raw(): void {
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': Buffer.byteLength(page) };
  createServer((_req, res) => res.writeHead(200, headers).end(page)).listen(port, '127.0.0.1');
}

/** Express as it comes out of its box. */
function bare(): void {
  const app = express();
  app.get('/', (_req, res) => {
    res.send(page);
  });
  app.listen(port, '127.0.0.1');
}

/** Express with EJS, helmet and a session, as their own pages show them. */
function usual(): void {
  const app = express();
  app.use(helmet());
  app.use(session({ secret: 'of the bench', resave: false, saveUninitialized: true, cookie: {} }));
  app.engine('html', ejs.renderFile);
  app.set('views', dirname(file));
  app.enable('view cache');
  app.get('/', (_req, res) => {
    res.render(basename(file));
  });
  app.listen(port, '127.0.0.1');
}

const kinds: Readonly<Record<string, () => void>> = { raw, bare, usual };
kinds[process.argv[2] ?? '']?.();
