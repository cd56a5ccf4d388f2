/** Whether PUBLIC_URL leads to this shop: it answers, and takes its own forms. Makes no cart and no order. */
import { ask, type Reply } from '../ask.js';
import { error, graver, ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';

export async function lookAtShop(patient: Patient, signal: AbortSignal): Promise<readonly Verdict[]> {
  const { publicUrl } = patient.config;
  const health = await ask({ url: `${publicUrl}/healthz` }, signal);
  if (!health.answered) return [silent(patient, health.reason)];
  if (health.status !== 200 || health.text !== 'ok') return [somethingElse(health.status)];
  const ready = await ask({ url: `${publicUrl}/readyz` }, signal);
  return [
    ready.answered && ready.status === 200
      ? ok('PUBLIC_URL leads to the shop, and it can take orders.')
      : notReady,
  ];
}

/** The language is the one choice that is kept in a cookie alone. */
export async function lookAtCookies({ config }: Patient, signal: AbortSignal): Promise<readonly Verdict[]> {
  const reply = await ask(
    {
      url: `${config.publicUrl}/language`,
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: config.publicUrl },
      body: `lang=${config.languages[0]}&back=/`,
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
  return ok('The shop takes its own forms, and cookies arrive with their flags.');
}

function silent({ production }: Patient, reason: string): Verdict {
  return error({
    what: `Nothing answers at PUBLIC_URL: ${reason}.`,
    why: 'No shopper reaches the shop, and nobody comes back to it from the payment page.',
    mend: production
      ? 'Start the shop, and check DNS, certificate, proxy and firewall from outside too.'
      : 'Start the shop (npm start) and run the doctor again; with --offline it looks at the settings alone.',
  });
}

function somethingElse(status: number): Verdict {
  return error({
    what: `What answers at PUBLIC_URL is not this shop (${status} at /healthz).`,
    why: 'Shoppers come back from the payment page to another program, or the proxy finds no shop.',
    mend: 'Let the proxy pass every path of PUBLIC_URL to the shop; check its address and port there.',
  });
}

const notReady = error({
  what: 'The shop runs and cannot take orders (/readyz).',
  why: 'It has no database, or is just stopping.',
  mend: 'Look into the shop’s log, and at what is said of the database here.',
});

const otherAddress = error({
  what: 'The running shop takes no forms from PUBLIC_URL: it was started with another one.',
  why: 'Nobody can put anything into a cart, and links lead elsewhere.',
  mend: 'Start the shop again with these settings.',
});

function unseen(why: string): Verdict {
  return warning({
    what: `No cookie of the shop could be seen (${why}).`,
    why: 'Whether cookies arrive with their flags cannot be told; without cookies nobody has a cart.',
    mend: 'Start the shop. If it runs, let the proxy pass POST requests and Set-Cookie unchanged.',
  });
}

function flagsLost(flags: readonly string[]): Verdict {
  return graver(true, {
    what: `Cookies arrive without ${flags.join(' and ')}.`,
    why: 'Scripts, other sites or who listens in could use a shopper’s session.',
    mend: 'The shop sets these flags: start it again with these settings, or stop the proxy from changing Set-Cookie.',
  });
}
