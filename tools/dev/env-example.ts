/** Writes `.env.example` from the schema of the settings. */
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { settingsSchema } from '../../src/config/settings.js';
import { FEATURES } from '../../src/features/index.js';
import { FLOW_IDS } from '../../src/shop/rules/flows.js';

const HEADER = [
  'All settings with their defaults. Copy this file to .env and change what you need. An empty value counts as absent.',
  'Without gateway settings, `npm start` also starts the simulator.',
  ...(FEATURES.some(({ name }) => name === 'shop-settings')
    ? ['What the merchant changes at /admin/shop takes precedence.']
    : []),
];

/** Settings that this shop does not use. */
const UNUSED = [
  ...(FEATURES.some((feature) => feature.offersRefunds) ? [] : ['REFUNDS', 'REFUND_PARTIAL']),
  ...(FLOW_IDS.includes('card') ? [] : ['PAYMENTS_SIGNING_SECRET', 'PAYMENTS_SIGNING_TEXT']),
  ...(FLOW_IDS.includes('hosted') ? [] : ['CHECKOUT_PAGE_ORIGINS']),
];

/** Returns the text of `.env.example`. A setting without a description shares the comment above it. */
export function envExample(): string {
  const defaults: Readonly<Record<string, unknown>> = settingsSchema.parse({});
  const shown = Object.entries(settingsSchema.shape).filter(([name]) => !UNUSED.includes(name));
  const settings = shown.map(([name, { description }]) => {
    const value = defaults[name];
    const line = `${name}=${Array.isArray(value) ? value.join(',') : (value ?? '')}`;
    return description ? `\n${comment(description)}\n${line}` : line;
  });
  return `${HEADER.map(comment).join('\n')}\n${settings.join('\n')}\n`;
}

/** Returns the text as comment lines of at most 120 characters. */
function comment(text: string): string {
  return text.replace(/(.{1,118})(?: |$)/g, '# $1\n').trimEnd();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = new URL('../../../.env.example', import.meta.url);
  // Otherwise it would write to what a link leads to.
  rmSync(file, { force: true });
  writeFileSync(file, envExample());
}
