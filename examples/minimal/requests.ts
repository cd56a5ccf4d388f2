/** What requests send: headers, typed texts, and the address of a client. */

import { holdsCardNumber, plainText } from '@tianguis/payments/rules';
import type { Request, RequestHandler } from 'express';
import helmet from 'helmet';
import ipaddr from 'ipaddr.js';
import type { Settings } from './settings.js';

export function securityHeaders({ settings, tokenizerUrl, isSecure }: Settings): RequestHandler {
  const loopback = settings.production ? [] : ['http://localhost:*', 'http://127.0.0.1:*'];
  const directives = {
    'default-src': ["'self'"],
    'connect-src': ["'self'", new URL(tokenizerUrl).origin],
    // Chromium applies it to each redirect after a post: to the hosted page, and to any bank.
    'form-action': ["'self'", 'https:', ...settings.pageOrigins, ...loopback],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  };
  const contentSecurityPolicy = { useDefaults: false, directives };
  // Hides the links of orders from other sites. Own forms still send `Origin`.
  const referrerPolicy = { policy: 'same-origin' } as const;
  return helmet({ contentSecurityPolicy, referrerPolicy, strictTransportSecurity: isSecure });
}

/** CSRF protection. A request without both headers is from no browser, and has no cookie of a customer. */
export function refuseCrossSite({ settings: { publicUrl } }: Settings): RequestHandler {
  return ({ method, headers: { origin = publicUrl, 'sec-fetch-site': site } }, _res, next) => {
    const isOwn = site === undefined ? origin === publicUrl : site === 'same-origin' || site === 'none';
    if (isOwn || method === 'GET' || method === 'HEAD') next();
    else next(Object.assign(new Error('from another site'), { status: 403 }));
  };
}

/** The IPv4 address, or the IPv6 network of 56 bits. Clients whose address cannot be read are one. */
export function clientOf({ ip = '' }: Request): string {
  const address = ipaddr.isValid(ip) ? ipaddr.process(ip) : undefined;
  return address?.kind() === 'ipv6' ? `${address.toByteArray().slice(0, 7)}` : `${address}`;
}

/** Returns a posted field as one line without invisible characters, and the problem to show at the field. */
export function readText(body: unknown, name: string, pattern = /^/, otherwise = ''): readonly [string, string] {
  const posted = (body as Readonly<Record<string, unknown>> | undefined)?.[name];
  const typed = typeof posted === 'string' ? plainText(posted) : '';
  const text = typed.replace(/\p{Cc}+/gu, ' ').trim();
  // A card number is neither stored nor sent back.
  if (holdsCardNumber(text)) return ['', 'No escribas aquí el número de tu tarjeta.'];
  if (text.length > 120) return [text, 'Escribe 120 caracteres como máximo.'];
  return [text, pattern.test(text) ? '' : otherwise];
}

const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.)+[\p{L}\p{N}-]{2,63}$/u;
export function readContact(body: unknown) {
  const [firstName, firstProblem] = readText(body, 'first_name', /./, 'Escribe tu nombre.');
  const [lastName, lastProblem] = readText(body, 'last_name');
  const [email, emailProblem] = readText(body, 'email', EMAIL, 'Escribe un correo como nombre@ejemplo.mx.');
  const problems = { firstName: firstProblem, lastName: lastProblem, email: emailProblem };
  return { contact: { firstName, lastName, email }, problems };
}
