/**
 * A payment service that answers at once, or after `DELAY_MS`, so that the shop alone is measured. Nobody pays on its
 * pages unless `PAID` is set: then everybody has.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

interface Sold {
  readonly amount_total: number;
  readonly external_id: string;
  readonly return_url: string;
}

const delayMs = Number(process.env['DELAY_MS'] ?? 0);
const UNPAID = { status: 'pending', transaction_status: 'Pending' } as const;
const PAID = { status: 'completed', transaction_status: 'Success' } as const;
const lookedUp = process.env['PAID'] === undefined ? UNPAID : PAID;
const origin = `http://localhost:${process.env['PORT']}`;
const sessions = new Map<string, Sold>();

createServer(async (req, res) => {
  if (req.method === 'POST') {
    const sold = JSON.parse(await bodyOf(req)) as Sold;
    const id = `cs_${randomBytes(12).toString('hex')}`;
    sessions.set(id, sold);
    later(() => send(res, 201, { ...sessionOf(id, sold), ...UNPAID }));
    return;
  }
  const id = req.url?.split('/').at(-1) ?? '';
  const sold = sessions.get(id);
  if (id === 'all')
    send(
      res,
      200,
      [...sessions].map(([key, { return_url }]) => ({ id: key, returnUrl: return_url })),
    );
  else if (id === 'sessions') send(res, 200, { count: sessions.size });
  else if (sold) later(() => send(res, 200, { ...sessionOf(id, sold), ...lookedUp }));
  else send(res, 404, {});
}).listen(Number(process.env['PORT']), '127.0.0.1');

function later(work: () => void): void {
  if (delayMs === 0) work();
  else setTimeout(work, delayMs);
}

function sessionOf(id: string, { amount_total, external_id }: Sold) {
  return { id, amount_total, external_id, currency: 'MXN', url: `${origin}/checkout/${id}` };
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of req) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

function send(res: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  res
    .writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
    .end(text);
}
