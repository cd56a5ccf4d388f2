import type { Parting } from './parting.js';

/** The service's own page. Orders that were begun there are settled as before. */
export const hosted: Parting = {
  says: 'the payment page of the service',
  files: ['src/web/routes/checkout-hosted.ts', 'src/checkout/start-hosted-checkout.ts', 'views/checkout.ejs'],
  names: {
    'src/gateway/gateway.ts': ['startSession'],
    'src/gateway/hosted-sessions.ts': ['startSession'],
    'src/gateway/connection.ts': ['createSession'],
    'src/gateway/session-wire.ts': ['toSessionBody'],
    'src/web/views.ts': ['checkout'],
  },
  words: [
    ...['titles.checkout', 'product.securePay', 'card.hosted', 'card.noscriptLink'],
    ...['checkout.heading', 'checkout.contact', 'checkout.contactHint', 'checkout.pay', 'checkout.payHosted'],
    ...['checkout.hostedHint', 'checkout.or', 'checkout.chooseCard', 'checkout.cardHint'],
  ],
  edits: [
    {
      path: 'src/doctor/look/page-policy.ts',
      find: `  const page = config.waysToPay.includes('hosted') ? '/checkout' : '/checkout/card';\n`,
      put: `  const page = '/checkout/card';\n`,
    },
    {
      path: 'src/drill/goods.ts',
      find: `exchange(shopUrl, '/checkout', {`,
      put: `exchange(shopUrl, '/checkout/card', {`,
    },
    {
      path: 'src/doctor/look/vault.ts',
      find: `  if (!config.waysToPay.includes('card')) return [ok('No card page, so no vault is needed.')];\n`,
      put: '',
    },
    {
      path: 'docs/cases.md',
      find: `Invented returns, messages and answers are also played by the thousand, from a seed: \`drill: forged-returns\`,
\`drill: forged-webhooks\`, \`drill: forged-answers\`. What`,
      put: 'What',
    },
    {
      path: 'docs/running.md',
      find: `\`test/project/two-shops.test.ts\` runs this very arrangement, with the proxy
of [examples/haproxy.cfg](examples/haproxy.cfg), and kills each part of it while people buy.`,
      put: `Its proxy is [examples/haproxy.cfg](examples/haproxy.cfg).`,
    },
    { path: 'views/product.ejs', find: `<li><%= it.t('product.securePay') %></li>\n`, put: '' },
    {
      path: 'src/words/es-mx.ts',
      find: 'Inténtalo de nuevo en un momento o paga en la página segura.',
      put: 'Inténtalo de nuevo en un momento.',
    },
    {
      path: 'src/words/en.ts',
      find: 'Try again in a moment, or pay on the secure page.',
      put: 'Try again in a moment.',
    },
    {
      path: 'test/web/views.test.ts',
      find: `    expect(html).toMatch(/<noscript>[\\s\\S]*href="\\/checkout"[\\s\\S]*<\\/noscript>/);\n`,
      put: '',
    },
    {
      path: 'SECURITY.md',
      find: '; `WAYS_TO_PAY=hosted` keeps even that away.',
      put: '.',
    },
    {
      path: 'test/web/views.test.ts',
      find: `  checkout,\n  'checkout-card': {`,
      put: `  'checkout-card': {`,
    },
    {
      path: 'src/web/routes/checkout.ts',
      find: `  if (waysToPay.includes('hosted')) addHostedCheckout(app, web, limits);
  // Every way to the checkout leads to /checkout.
  else app.get('/checkout', (_req, res) => res.redirect(303, '/checkout/card'));
  if (waysToPay.includes('card')) addCardCheckout(app, web, limits);
`,
      put: `  // Every way to the checkout leads to /checkout.
  app.get('/checkout', (_req, res) => res.redirect(303, '/checkout/card'));
  addCardCheckout(app, web, limits);
`,
    },
    {
      path: 'src/web/routes/method-not-allowed.ts',
      find: `  '/checkout/hosted': 'POST',\n`,
      put: '',
    },
    {
      path: 'src/settings.ts',
      find: `const NEEDED_IN_PRODUCTION = ['SESSION_SECRET', 'WEBHOOK_AUTH'] as const;
const NEEDED_FOR_CARDS = ['TOKENIZER_URL'] as const;
`,
      put: `const NEEDED_IN_PRODUCTION = ['SESSION_SECRET', 'WEBHOOK_AUTH', 'TOKENIZER_URL'] as const;
`,
    },
    {
      path: 'src/settings.ts',
      find: `  const cards = settings.WAYS_TO_PAY.includes('card') ? NEEDED_FOR_CARDS : [];
  const needed = [...NEEDED_IN_PRODUCTION, ...cards].filter(`,
      put: `  const needed = NEEDED_IN_PRODUCTION.filter(`,
    },
    {
      path: 'views/checkout-card.ejs',
      find: `<% if (page.otherWay) { %> <a href="/checkout"><%= it.t('card.noscriptLink') %></a>.<% } %>`,
      put: '',
    },
    {
      path: 'views/checkout-card.ejs',
      find: `<% if (page.otherWay) { %>
<p class="second-way"><a href="/checkout"><%= it.t('card.hosted') %></a></p>
<% } %>
`,
      put: '',
    },
  ],
  marks: {
    names: ['startSession'],
    texts: /\/checkout\/hosted|pay-hosted/,
  },
};
