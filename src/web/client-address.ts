/** Names of a client in limits and reservations: its address, and the networks around an IPv6 address. */
import { createHmac } from 'node:crypto';
import type { Request, Response } from 'express';
import ipaddr from 'ipaddr.js';
import type { ClientKeys } from '../shop/rules/stock.js';
import { contextOf } from './request-context.js';

/** All clients whose address cannot be read are one client. */
const UNREADABLE: ClientKeys = { addressKey: 'unreadable', siteKey: '', networkKey: '' };

/**
 * Returns the names of a client for each limit. `req.ip` of Express is the text that the proxy sent, which may have a port,
 * brackets, quotes or a zone.
 */
export function clientOf({ ip = '' }: Pick<Request, 'ip'>): ClientKeys {
  const address = parseAddress(ip);
  if (!address) return UNREADABLE;
  if (!('parts' in address)) return { addressKey: address.toString(), siteKey: '', networkKey: '' };
  const network = (prefix: number) =>
    `${Buffer.from(address.toByteArray().slice(0, prefix / 8)).toString('hex')}/${prefix}`;
  return { addressKey: network(64), siteKey: network(56), networkKey: network(48) };
}

/** Parses `198.51.100.7`, `198.51.100.7:443`, `2001:db8::7%eth0`, `[2001:db8::7]:443`, also in quotes. */
function parseAddress(text: string) {
  const bare = text.trim().replace(/^"(.*)"$/, '$1');
  const host = (/^\[([^\]]*)\](?::\d*)?$/.exec(bare)?.[1] ?? bare).replace(/%.*$/, '');
  const valid = [host, host.replace(/:\d*$/, '')].find((each) => ipaddr.isValid(each));
  return valid === undefined ? undefined : ipaddr.process(valid);
}

/** Returns the names of a client under which a limit counts one kind of its events, such as those for one user. */
export function clientFor(kind: string, { addressKey, siteKey, networkKey }: ClientKeys): ClientKeys {
  const named = (key: string) => key && `${kind} ${key}`;
  return { addressKey: named(addressKey), siteKey: named(siteKey), networkKey: named(networkKey) };
}

/** Returns truncated hashes of the client's names, to be stored; `undefined` without rate limits. */
export function clientKeysOf(res: Response): ClientKeys | undefined {
  const { config, secrets } = contextOf(res);
  if (!config.rateLimit) return undefined;
  const hash = (text: string) =>
    text && createHmac('sha256', secrets.sessionSecrets[0]).update(text).digest('hex').slice(0, 16);
  const { addressKey, siteKey, networkKey } = clientOf(res.req);
  return { addressKey: hash(addressKey), siteKey: hash(siteKey), networkKey: hash(networkKey) };
}
