/** Checks of the settings and their files. No network. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { isTestHost, kindOfKey } from '../../../src/domain/gateway-hosts.js';
import { isLoopbackHost } from '../../../src/domain/redirect.js';
import { webhookSecret } from '../../../src/domain/weak-secret.js';
import { SECRETS, settingsSchema } from '../../../src/settings.js';
import type { DoctorContext, Problem } from '../check.js';

function readEnvFile({ projectDirectory }: DoctorContext, name: string): Readonly<Record<string, string>> {
  const path = join(projectDirectory, name);
  return existsSync(path) ? (parseEnv(readFileSync(path, 'utf8')) as Record<string, string>) : {};
}

/** Checks that `.env.example`, which is committed, contains no secret. */
export function checkExampleFile(context: DoctorContext): Problem | undefined {
  const example = readEnvFile(context, '.env.example');
  const present = [...SECRETS, 'SMTP_URL' as const].filter((name) => example[name]);
  if (present.length === 0) return undefined;
  const inUse = present.some((name) => example[name] === context.environment[name]);
  return {
    level: inUse ? 'error' : 'warning',
    what: `.env.example contains a value of ${present.join(', ')}${inUse ? ', which is in use' : ''}.`,
    why: 'The file is committed with the code, so every reader of the code knows the secret.',
    fix: 'Remove the value, set it in .env, and replace the secret: the git history still contains it.',
  };
}

/** Settings of the tests and of Node.js. */
const OTHER_NAMES = /^(?:SIMULATOR_|TEST_|CHROMIUM_PATH$|TZ$|NODE_)/;

export function checkSettingNames(context: DoctorContext): Problem | undefined {
  const unknown = Object.keys(readEnvFile(context, '.env')).filter(
    (name) => !Object.hasOwn(settingsSchema.shape, name) && !OTHER_NAMES.test(name),
  );
  if (unknown.length === 0) return undefined;
  return {
    level: 'warning',
    what: `.env contains unknown settings: ${unknown.join(', ')}.`,
    why: 'A mistyped name leaves its setting at the default.',
    fix: 'Compare the names with .env.example, and correct or remove them.',
  };
}

export function checkFilePermissions({ projectDirectory, production }: DoctorContext): Problem | undefined {
  const path = join(projectDirectory, '.env');
  if (!production || !existsSync(path) || (statSync(path).mode & 0o077) === 0) return undefined;
  return {
    level: 'warning',
    what: 'Other users of this machine can read .env.',
    why: 'It contains the secrets of the shop.',
    fix: 'Run chmod 600 .env. The owner must be the user account of the shop.',
  };
}

/** The settings themselves reject weak and example secrets in production. */
export function checkReusedSecrets({ environment }: DoctorContext): Problem | undefined {
  const values = SECRETS.map((name) => ({ name, value: webhookSecret(environment[name] ?? '') }));
  const reused = values.filter(
    ({ value }) => value && values.filter((other) => other.value === value).length > 1,
  );
  if (reused.length === 0) return undefined;
  return {
    level: 'warning',
    what: `${reused.map(({ name }) => name).join(' and ')} have the same value.`,
    why: 'If one of them leaks, the other is known too.',
    fix: 'Generate a separate one for each: openssl rand -base64 48',
  };
}

const COMMON_START =
  /^(?:admin|password|contrase|tianguis|tienda|qwerty|abc123|123456|letmein|welcome|bienvenid)/i;

export function checkAdminPassword({ secrets, production }: DoctorContext): Problem | undefined {
  const { adminPassword } = secrets;
  if (adminPassword !== undefined && COMMON_START.test(adminPassword))
    return {
      level: 'warning',
      what: 'ADMIN_PASSWORD begins with a common word.',
      why: 'It gives access to every order.',
      fix: 'Choose 12 or more unguessable characters.',
    };
  if (adminPassword !== undefined || !production) return undefined;
  return {
    level: 'note',
    what: 'ADMIN_PASSWORD is not set: a start without back-office users creates none, and /admin is not found.',
    why: 'The back office lists the payments in review, which need the merchant’s decision.',
    fix: 'Add a user with npm run admin, or set 12 or more unguessable characters.',
  };
}

export function checkWebhookAuth({ secrets, production }: DoctorContext): Problem | undefined {
  const fix =
    'Generate a credential with openssl rand -hex 24. Set the same one here and in the gateway’s dashboard.';
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

export function checkGatewayUrls({ config }: DoctorContext): Problem | undefined {
  const { baseUrl, checkoutApiUrl, tokenizerUrl } = config.payments;
  const [base, checkout, tokenizer] = [baseUrl, checkoutApiUrl, tokenizerUrl].map(environmentOf);
  if (base === checkout && checkout === tokenizer) return undefined;
  return {
    level: 'error',
    what: `The gateway URLs are mixed: PAYMENTS_BASE_URL is ${base}, CHECKOUT_API_URL is ${checkout}, TOKENIZER_URL is ${tokenizer}.`,
    why: 'A payment of one environment cannot be looked up in another.',
    fix: 'Copy all URLs from the same environment in the gateway’s documentation.',
  };
}

function environmentOf(url: string): 'test' | 'live' | 'local' {
  const { hostname } = new URL(url);
  if (isLoopbackHost(hostname)) return 'local';
  return isTestHost(hostname) ? 'test' : 'live';
}

/** Compares the API key, the gateway's environment and the mode of the shop. */
export function checkApiKey({ config, secrets, production }: DoctorContext): Problem | undefined {
  const isLiveGateway = environmentOf(config.payments.checkoutApiUrl) === 'live';
  const key = kindOfKey(secrets.apiKey);
  if (key === 'live' && !isLiveGateway)
    return {
      level: 'error',
      what: 'PAYMENTS_API_KEY is a live key, and the URLs of the gateway are not live.',
      why: 'Live keys must never be used for tests. The test environment rejects the key but has received it.',
      fix: 'Use the test key from the dashboard. Replace the live key, because it may have leaked.',
    };
  // In production, the settings themselves reject a test key with live URLs.
  if (!isLiveGateway || production) return undefined;
  if (key === 'test')
    return {
      level: 'error',
      what: 'PAYMENTS_API_KEY is a test key, and the URLs of the gateway are live.',
      why: 'The gateway rejects a key of the other environment, so customers cannot pay.',
      fix: 'Use the live key from the dashboard, or the test URLs from the documentation.',
    };
  return {
    level: 'warning',
    what: 'The URLs of the gateway are live, and this is not a production shop.',
    why: 'Real cards are charged, and the production rules are off.',
    fix: 'Set NODE_ENV=production, or use the test URLs and a test key.',
  };
}

export function checkPageOrigins({ config, environment }: DoctorContext): Problem | undefined {
  const { checkoutApiUrl, pageOrigins } = config.payments;
  if (environment['CHECKOUT_PAGE_ORIGINS'] || environmentOf(checkoutApiUrl) === 'local') return undefined;
  return {
    level: 'warning',
    what: `CHECKOUT_PAGE_ORIGINS is not set: the shop accepts a payment page only at ${pageOrigins.join(' and ')}.`,
    why: 'Many gateways serve the payment page from another host than their API. Then no hosted checkout succeeds.',
    fix: 'Set it to the origin of the payment page. npm run contract shows it from a session of the test environment.',
  };
}

export function checkSigning({ config, secrets }: DoctorContext): Problem | undefined {
  const isLocal = environmentOf(config.payments.baseUrl) === 'local';
  if (isLocal || secrets.signingSecret !== undefined || !config.paymentFlows.includes('card'))
    return undefined;
  return {
    level: 'note',
    what: 'Card payments are not signed: PAYMENTS_SIGNING_SECRET is not set.',
    why: 'Some gateway accounts require a signature and reject card payments without one.',
    fix: 'Ask the gateway whether your account requires signatures. If so, set the secret from the dashboard.',
  };
}

export function checkPublicUrl({ config, production }: DoctorContext): Problem | undefined {
  const isGatewayLocal = environmentOf(config.payments.checkoutApiUrl) === 'local';
  if (environmentOf(config.publicUrl) !== 'local' || (isGatewayLocal && !production)) return undefined;
  return {
    level: production ? 'error' : 'warning',
    what: 'PUBLIC_URL is an address of this machine only.',
    why: 'Customers cannot return to it from the payment page, and the gateway’s webhooks cannot reach it.',
    fix: 'Set it to the public URL of the shop. To test a real gateway from a local machine, open a tunnel and set its URL.',
  };
}
