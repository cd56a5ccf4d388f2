/** Checks of the settings and of files. They contact no other program. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { isLoopbackHost, isTestHost, kindOfKey, secretsIn } from '@tianguis/payments/rules';
import dotenv from 'dotenv';
import { countSecretValues } from '../../../src/config/config.js';
import { SECRETS, settingsSchema } from '../../../src/config/settings.js';
import { findFileProblems } from '../../../src/content/file-problems.js';
import { cutSettings } from '../../../src/env-file.js';
import { type Check, type DoctorContext, offersCard, type Problem } from '../check.js';

export const settingsChecks: readonly Check[] = [
  { name: 'setting names', run: checkSettingNames },
  { name: 'cut values', run: checkCutValues },
  {
    name: 'file permissions',
    run: ({ production, envFile }) =>
      production &&
      isReadableByOthers(envFile) && {
        level: 'warning',
        what: 'Other users of this machine can read .env.',
        why: 'It contains the secrets of the shop.',
        fix: 'Run chmod 600 .env. The owner must be the user account of the shop.',
      },
  },
  { name: 'reused secrets', run: checkReusedSecrets },
  { name: 'older secrets', run: checkOlderSecrets },
  { name: 'admin password', run: checkAdminPassword },
  { name: 'webhook credential', run: checkWebhookAuth },
  { name: 'gateway URLs', run: checkGatewayUrls },
  { name: 'API key', run: checkApiKey },
  {
    name: 'payment page',
    concerns: ({ config }) => config.paymentFlows.includes('hosted'),
    run: ({ config, environment, production }) =>
      !environment['CHECKOUT_PAGE_ORIGINS'] &&
      environmentOf(config.payments.checkoutApiUrl) !== 'local' && {
        level: 'warning',
        what: `CHECKOUT_PAGE_ORIGINS is not set: the shop accepts a payment page only at ${config.payments.pageOrigins.join(' and ')}.`,
        why: 'Many gateways serve the payment page from another host than their API. Then no hosted checkout succeeds.',
        fix: production
          ? 'Set it to the origin of the live payment page, which the gateway’s documentation or support names.'
          : 'Set it to the origin of the payment page. npm run contract shows it from a session of the test environment.',
      },
  },
  {
    name: 'signing',
    concerns: offersCard,
    run: ({ config, secrets }) =>
      secrets.signingSecret === undefined &&
      environmentOf(config.payments.baseUrl) !== 'local' && {
        level: 'note',
        what: 'Card payments are not signed: PAYMENTS_SIGNING_SECRET is not set.',
        why: 'Some gateway accounts require a signature and reject card payments without one.',
        fix: 'Ask the gateway whether your account requires signatures. If so, set the secret from the dashboard.',
      },
  },
  {
    name: 'public address',
    run: ({ config, production }) =>
      environmentOf(config.publicUrl) === 'local' &&
      (production || environmentOf(config.payments.checkoutApiUrl) !== 'local') && {
        level: production ? 'error' : 'warning',
        what: 'PUBLIC_URL is an address of this machine only.',
        why: 'Customers cannot return to it from the payment page, and the gateway’s webhooks cannot reach it.',
        fix: production
          ? 'Set it to the public URL of the shop.'
          : 'Set it to the public URL of the shop. To test a real gateway from a local machine, open a tunnel and set its URL.',
      },
  },
  {
    // The shop itself serves plain HTTP.
    name: 'proxies',
    run: ({ config, production }) =>
      config.publicUrl.startsWith('https:') &&
      config.trustProxy === 0 && {
        level: production ? 'error' : 'warning',
        what: 'TRUST_PROXY is 0, and PUBLIC_URL is https, so a proxy is in front of the shop.',
        why: 'The shop sees the proxy’s IP address for all customers, so they share the limits on payment attempts.',
        fix: 'Set TRUST_PROXY to the number of proxies in front of the shop: CDN, load balancer, proxy.',
      },
  },
  { name: 'texts and pictures', run: checkFiles },
];

/** Settings of the tests and of Node.js. */
const OTHER_NAMES = /^(?:SIMULATOR_|TEST_|CHROMIUM_PATH$|TZ$|NODE_)/;

function checkSettingNames({ envFile }: DoctorContext): Problem | undefined {
  const names = existsSync(envFile) ? Object.keys(dotenv.parse(readFileSync(envFile))) : [];
  const unknown = names.filter((name) => !(name in settingsSchema.shape || OTHER_NAMES.test(name)));
  if (unknown.length === 0) return undefined;
  return {
    level: 'warning',
    what: `.env contains unknown settings: ${unknown.join(', ')}.`,
    why: 'A mistyped name leaves its setting at the default.',
    fix: 'Compare the names with .env.example, and correct or remove them.',
  };
}

function checkCutValues({ envFile }: DoctorContext): Problem | undefined {
  const cut = existsSync(envFile) ? cutSettings(readFileSync(envFile, 'utf8')) : [];
  if (cut.length === 0) return undefined;
  return {
    level: 'warning',
    what: `In .env, the value of ${cut.join(', ')} ends before its #.`,
    why: 'The shop uses only what is before it, such as half a password.',
    fix: "An unquoted # begins a comment. Put the value in quotes: NAME='value'.",
  };
}

function isReadableByOthers(path: string): boolean {
  return existsSync(path) && (statSync(path).mode & 0o077) !== 0;
}

function checkReusedSecrets({ environment }: DoctorContext): Problem | undefined {
  const values = SECRETS.map((name) => secretsIn(name, environment[name] ?? '').filter(Boolean));
  const reused = SECRETS.filter((_, index) =>
    values.some((others, other) => other !== index && others.some((value) => values[index]?.includes(value))),
  );
  if (reused.length === 0) return undefined;
  return {
    level: 'warning',
    what: `${reused.join(' and ')} have the same value.`,
    why: 'If one of them leaks, the other is known too.',
    fix: 'Generate a separate one for each: openssl rand -base64 48',
  };
}

/** A comma inside of a secret also separates two values, which all are accepted. */
function checkOlderSecrets({ secrets }: DoctorContext): Problem | undefined {
  const several = countSecretValues(secrets).filter(({ count }) => count > 1);
  if (several.length === 0) return undefined;
  const counts = several.map(({ setting, count }) => `${setting} has ${count} values`);
  return {
    level: 'note',
    what: `${counts.join(', and ')}, separated by a comma.`,
    why: 'The shop accepts all of them and uses the first. Half of a secret with a comma in it is a weaker secret.',
    fix: 'Remove the older value after the change (docs/running.md). Replace a secret that contains a comma.',
  };
}

function checkAdminPassword({ secrets, production }: DoctorContext): Problem | undefined {
  if (secrets.adminPassword !== undefined || !production) return undefined;
  return {
    level: 'note',
    what: 'ADMIN_PASSWORD is not set: a start without back-office users creates none, and /admin is not found.',
    why: 'The back office lists the payments in review, which need the merchant’s decision.',
    fix: 'Add a user with npm run admin, or set 12 or more unguessable characters.',
  };
}

function checkWebhookAuth({ secrets, production }: DoctorContext): Problem | undefined {
  const fix = 'Generate a credential with openssl rand -hex 24. Set the same one here and in the gateway’s dashboard.';
  if (secrets.webhookAuth === undefined)
    return {
      level: 'warning',
      what: 'WEBHOOK_AUTH is not set: every webhook is rejected.',
      why: 'The shop then finds payments only through its own lookups, which takes longer.',
      fix,
    };
  if (secrets.webhookAuth.scheme !== 'none') return undefined;
  return {
    level: production ? 'error' : 'warning',
    what: 'WEBHOOK_AUTH is none: every client may send webhooks.',
    why: 'A webhook alone proves no payment, but each one that names an order causes a database write and a lookup.',
    fix,
  };
}

function environmentOf(url: string): 'test' | 'live' | 'local' {
  const { hostname } = new URL(url);
  if (isLoopbackHost(hostname)) return 'local';
  return isTestHost(hostname) ? 'test' : 'live';
}

function checkGatewayUrls(context: DoctorContext): Problem | undefined {
  const { baseUrl, checkoutApiUrl, tokenizerUrl } = context.config.payments;
  const urls = {
    PAYMENTS_BASE_URL: baseUrl,
    CHECKOUT_API_URL: checkoutApiUrl,
    ...(offersCard(context) && { TOKENIZER_URL: tokenizerUrl }),
  };
  const environments = Object.entries(urls).map(([name, url]) => [name, environmentOf(url)] as const);
  if (new Set(environments.map(([, environment]) => environment)).size === 1) return undefined;
  return {
    level: 'error',
    what: `The gateway URLs are mixed: ${environments.map((each) => each.join(' is ')).join(', ')}.`,
    why: 'A payment of one environment cannot be looked up in another.',
    fix: 'Copy all URLs from the same environment in the gateway’s documentation.',
  };
}

/** Compares the API key, the gateway's environment and the mode of the shop. Live URLs refuse a test key themselves. */
function checkApiKey({ config, secrets, production }: DoctorContext): Problem | undefined {
  const isLiveGateway = environmentOf(config.payments.checkoutApiUrl) === 'live';
  if (kindOfKey(secrets.apiKey) === 'live' && !isLiveGateway)
    return {
      level: 'error',
      what: 'PAYMENTS_API_KEY is a live key, and the URLs of the gateway are not live.',
      why: 'Live keys must never be used for tests. The test environment rejects the key but has received it.',
      fix: `${production ? 'Set the live URLs.' : 'Use the test key from the dashboard.'} Replace the live key, because it may have leaked.`,
    };
  if (!isLiveGateway || production) return undefined;
  return {
    level: 'warning',
    what: 'The URLs of the gateway are live, and this is not a production shop.',
    why: 'Real cards are charged, and the production rules are off.',
    fix: 'Set NODE_ENV=production, or use the test URLs and a test key.',
  };
}

function checkFiles({ config, projectDirectory }: DoctorContext): Problem | undefined {
  const problems = findFileProblems(projectDirectory, config.locales);
  if (problems.length === 0) return undefined;
  return {
    level: 'error',
    what: `Texts, pictures or the brand are wrong. ${problems.join('. ')}.`,
    why: 'The shop does not start with them.',
    fix: 'Put each picture below public/ and name it by its path there, as /products/mug.jpg. Correct the named lines.',
  };
}
