/** Checks that PUBLIC_URL leads to this shop and that the shop accepts its own forms. Creates no cart and no order. */
import { ask, type Reply } from '../ask.js';
import { error, graver, ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';

/** Checks `/healthz` and `/readyz` at PUBLIC_URL. */
export async function lookAtShop(patient: Patient, signal: AbortSignal): Promise<readonly Verdict[]> {
  const { publicUrl } = patient.config;
  const health = await ask({ url: `${publicUrl}/healthz` }, signal);
  if (!health.answered) return [silent(patient, health.reason)];
  if (health.status !== 200 || health.text !== 'ok') return [somethingElse(health.status)];
  const ready = await ask({ url: `${publicUrl}/readyz` }, signal);
  return [
    ready.answered && ready.status === 200
      ? ok('PUBLIC_URL leads to the shop, and the shop can accept orders.')
      : notReady,
  ];
}

/** Changes the locale, because its cookie needs no row in the database. */
export async function lookAtCookies({ config }: Patient, signal: AbortSignal): Promise<readonly Verdict[]> {
  const reply = await ask(
    {
      url: `${config.publicUrl}/language`,
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: config.publicUrl },
      body: `lang=${config.locales[0]}&back=/`,
    },
    signal,
  );
  return [judgeCookie(reply, config.publicUrl.startsWith('https:'))];
}

function judgeCookie(reply: Reply, secure: boolean): Verdict {
  if (!reply.answered) return unseen(reply.reason);
  if (reply.status === 403) return otherAddress;
  const cookie = reply.headers.getSetCookie().find((line) => line.startsWith('lang='));
  if (cookie === undefined) return unseen(`status ${reply.status}`);
  const lost = ['HttpOnly', 'SameSite=Lax', ...(secure ? ['Secure'] : [])].filter(
    (flag) => !cookie.split('; ').includes(flag),
  );
  if (lost.length > 0) return flagsLost(lost);
  if (!secure && /; Secure(?:;|$)/.test(cookie)) return otherAddress;
  return ok('The shop accepts its own forms, and cookies arrive with their flags.');
}

function silent({ production }: Patient, reason: string): Verdict {
  return error({
    what: `Nothing answers at PUBLIC_URL: ${reason}.`,
    why: 'Customers cannot reach the shop and cannot return to it from the payment page.',
    mend: production
      ? 'Start the shop, and check DNS, certificate, proxy and firewall from another network.'
      : 'Start the shop (npm start) and run the doctor again. With --offline it checks only settings and files.',
  });
}

function somethingElse(status: number): Verdict {
  return error({
    what: `What answers at PUBLIC_URL is not this shop (${status} at /healthz).`,
    why: 'Customers return from the payment page to another program, or the proxy does not reach the shop.',
    mend: 'Configure the proxy to forward every path of PUBLIC_URL to the shop. Check the shop’s host and port there.',
  });
}

const notReady = error({
  what: 'The shop runs and cannot take orders (/readyz).',
  why: 'It has no database connection, or it is stopping.',
  mend: 'Check the shop’s log and the database result of this report.',
});

const otherAddress = error({
  what: 'The running shop takes no forms from PUBLIC_URL: it was started with another one.',
  why: 'Customers cannot add to a cart, and links lead to another address.',
  mend: 'Restart the shop with these settings.',
});

function unseen(why: string): Verdict {
  return warning({
    what: `No cookie of the shop could be seen (${why}).`,
    why: 'The flags of cookies cannot be checked. Without cookies customers have no cart.',
    mend: 'Start the shop. If it is running, configure the proxy to forward POST requests and Set-Cookie unchanged.',
  });
}

function flagsLost(flags: readonly string[]): Verdict {
  return graver(true, {
    what: `Cookies arrive without ${flags.join(' and ')}.`,
    why: 'Scripts, other sites or network attackers could use a customer’s session.',
    mend: 'The shop sets these flags. Restart it with these settings, or stop the proxy from changing Set-Cookie.',
  });
}
