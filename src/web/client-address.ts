/** Keys that stand for a client in limits: its address, and the networks of an IPv6 address. */
import { createHmac } from 'node:crypto';
import type { Request, Response } from 'express';
import ipaddr from 'ipaddr.js';
import type { ClientKeys } from '../domain/stock.js';
import { contextOf } from './request-context.js';

/** Returns the client's IPv4 address, or its /64 network for IPv6, which one customer has. */
export function clientAddressOf({ ip = 'unknown' }: Pick<Request, 'ip'>): string {
  return networkOf(ip, 64) ?? (ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : ip);
}

/** Returns the client's IPv6 network with a prefix of this length. `undefined` for IPv4. */
export function clientNetworkOf({ ip = 'unknown' }: Request, prefix: 48 | 56): string | undefined {
  return networkOf(ip, prefix);
}

function networkOf(ip: string, prefix: 48 | 56 | 64): string | undefined {
  if (!ipaddr.isValid(ip)) return undefined;
  const address = ipaddr.process(ip);
  if (!('parts' in address)) return undefined;
  return `${Buffer.from(address.toByteArray().slice(0, prefix / 8)).toString('hex')}/${prefix}`;
}

/** Returns truncated hashes of the client's address and network for its reservations; `undefined` without rate limits. */
export function clientKeysOf(res: Response): ClientKeys | undefined {
  const { config, secrets } = contextOf(res);
  if (!config.rateLimit) return undefined;
  const hash = (text: string) =>
    createHmac('sha256', secrets.sessionSecrets[0]).update(text).digest('hex').slice(0, 16);
  const network = clientNetworkOf(res.req, 48);
  return { addressKey: hash(clientAddressOf(res.req)), networkKey: network === undefined ? '' : hash(network) };
}
