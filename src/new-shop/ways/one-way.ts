/** What leaves with the choice between two ways, whichever is left. */
import type { Marks } from '../code/prune.js';
import type { Edit } from '../edit.js';

export const CHOICE: readonly Edit[] = [
  {
    path: 'src/settings.ts',
    find: `  WAYS_TO_PAY: list
    .pipe(z.array(z.enum(WAYS_TO_PAY, 'must be hosted, card or both')).min(1, 'must be hosted, card or both'))
    .default([...WAYS_TO_PAY]),
`,
    put: '',
  },
  {
    path: 'src/config.ts',
    find: `  /** What the checkout offers. */
  readonly waysToPay: Settings['WAYS_TO_PAY'];
`,
    put: '',
  },
  { path: 'src/config.ts', find: `    waysToPay: settings.WAYS_TO_PAY,\n`, put: '' },
  { path: 'src/services.ts', find: `    waysToPay: config.waysToPay,\n`, put: '' },
  {
    path: 'src/web/services.ts',
    find: `  /** What the checkout offers; the addresses of the others are not there. */
  readonly waysToPay: readonly AttemptKind[];
`,
    put: '',
  },
  {
    path: 'src/web/checkout-form.ts',
    find: `  const otherWay = web.settings.waysToPay.length > 1;
  const page = { ...checkoutPage({ t, locale }, priced, { typed, notices }), otherWay };
`,
    put: `  const page = checkoutPage({ t, locale }, priced, { typed, notices });
`,
  },
  {
    path: 'src/web/pages/checkout-page.ts',
    find: `Omit<CheckoutPage, 'otherWay'>`,
    put: 'CheckoutPage',
  },
  {
    path: 'src/web/view-models.ts',
    find: `  /** Whether the shop offers the other way to pay too. */
  readonly otherWay: boolean;
`,
    put: '',
  },
  {
    path: 'src/web/routes/method-not-allowed.ts',
    find: `export function addMethodNotAllowed(app: IRouter, { settings }: WebServices): void {
  const isOffered = (path: string) =>
    WAYS_TO_PAY.every((way) => settings.waysToPay.includes(way) || !path.startsWith(\`/checkout/\${way}\`));
  for (const [path, allowed] of Object.entries(METHODS).filter(([path]) => isOffered(path))) {
`,
    put: `export function addMethodNotAllowed(app: IRouter): void {
  for (const [path, allowed] of Object.entries(METHODS)) {
`,
  },
  { path: 'src/app.ts', find: 'addMethodNotAllowed(app, web)', put: 'addMethodNotAllowed(app)' },
  { path: 'src/web/routes/checkout.ts', find: `  const { waysToPay } = web.settings;\n`, put: '' },
  { path: 'src/web/routes/checkout.ts', find: `  // One count for both ways.\n`, put: '' },
  {
    path: 'src/doctor/setting-help.ts',
    find: `  WAYS_TO_PAY: {
    why: 'The checkout offers these and no others.',
    mend: 'Write hosted, card, or both: hosted,card',
  },
`,
    put: '',
  },
  {
    path: '.env.example',
    find: `# What the checkout offers: hosted (the service's own page), card (your page, with the vault), or both, separated by commas.
# Without card no TOKENIZER_URL is needed.
WAYS_TO_PAY=hosted,card

`,
    put: '',
  },
  {
    path: 'docs/adapting.md',
    find: '| the ways to pay | `WAYS_TO_PAY` in `.env` |\n',
    put: '',
  },
  {
    path: 'README.md',
    find: '| offer one way to pay only              | `.env`: `WAYS_TO_PAY=hosted` or `card`                                                       |\n',
    put: '',
  },
  { path: 'test/web/views.test.ts', find: `  otherWay: true,\n`, put: '' },
  { path: 'test/config.test.ts', find: `      waysToPay: ['hosted', 'card'],\n`, put: '' },
];

/** Makes each choice anew, and there is none any more. */
export const CHOICE_TEST = 'test/project/new-shop.test.ts';

/** What the choice is known by where it is tested. */
export const CHOICE_MARKS: Marks = { names: ['waysToPay', 'WAYS_TO_PAY'], texts: /WAYS_TO_PAY/ };
