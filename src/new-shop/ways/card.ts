import type { Parting } from './parting.js';

/** Cards on the shop's own page. Orders that were paid so, or may have been, are settled as before. */
export const card: Parting = {
  says: 'cards on your own page',
  files: [
    'src/web/routes/checkout-card.ts',
    'src/checkout/start-card-payment.ts',
    'src/checkout/vault-access.ts',
    'src/doctor/look/vault.ts',
    'views/checkout-card.ejs',
    'public/card.js',
  ],
  names: {
    'src/gateway/gateway.ts': ['processPayment', 'accessToken'],
    'src/gateway/card-payments.ts': ['processPayment', 'accessToken'],
    'src/gateway/connection.ts': ['processPayment', 'accessToken'],
    'src/gateway/payment-wire.ts': ['toPaymentBody', 'parseAccessToken'],
    'src/core/card-data.ts': ['readCardTokens'],
    'src/web/view-models.ts': ['CardCheckoutPage'],
    'src/web/views.ts': ['checkout-card'],
    'src/web/services.ts': ['tokenizerUrl'],
    'src/services.ts': ['tokenizerUrl'],
  },
  words: ['titles.card', 'checkout.or', 'checkout.chooseCard', 'checkout.cardHint', 'card', 'fields.card'],
  edits: [
    {
      path: 'src/doctor/look/page-policy.ts',
      find: `  const page = config.waysToPay.includes('hosted') ? '/checkout' : '/checkout/card';\n`,
      put: `  const page = '/checkout';\n`,
    },
    {
      path: 'test/config.test.ts',
      find: `        'SESSION_SECRET',
        'TOKENIZER_URL',
`,
      put: `        'SESSION_SECRET',
`,
    },
    {
      path: 'test/config.test.ts',
      find: `Object.keys(production).filter((name) => name !== 'NODE_ENV')`,
      put: `Object.keys(production).filter((name) => name !== 'NODE_ENV' && name !== 'TOKENIZER_URL')`,
    },
    {
      path: 'SECURITY.md',
      find: "- Card data: the browser hands it to the service's vault. Your card page still counts for PCI DSS; `WAYS_TO_PAY=hosted` keeps even that away.\n",
      put: '- Card data: it is typed on the page of the service and never comes near this shop.\n',
    },
    {
      path: '.env.example',
      find: "# The vault to which the browser sends card data; never this server. Default: the simulator's.",
      put: '# The vault of the service: npm run contract hands it test cards. The shop itself needs none.',
    },
    {
      path: 'src/web/routes/checkout.ts',
      find: `  if (waysToPay.includes('hosted')) addHostedCheckout(app, web, limits);
  // Every way to the checkout leads to /checkout.
  else app.get('/checkout', (_req, res) => res.redirect(303, '/checkout/card'));
  if (waysToPay.includes('card')) addCardCheckout(app, web, limits);
`,
      put: `  addHostedCheckout(app, web, limits);
`,
    },
    {
      path: 'src/web/routes/method-not-allowed.ts',
      find: `  '/checkout/card': 'GET, HEAD, POST',
  '/checkout/card/access-token': 'POST',
`,
      put: '',
    },
    {
      path: 'src/settings.ts',
      find: `const NEEDED_FOR_CARDS = ['TOKENIZER_URL'] as const;\n`,
      put: '',
    },
    {
      path: 'src/settings.ts',
      find: `  const cards = settings.WAYS_TO_PAY.includes('card') ? NEEDED_FOR_CARDS : [];
  const needed = [...NEEDED_IN_PRODUCTION, ...cards].filter(`,
      put: `  const needed = NEEDED_IN_PRODUCTION.filter(`,
    },
    {
      path: 'src/web/middleware/refuse-card-data.ts',
      find: `  const tokenised = readCardTokens(Object.fromEntries(fields)) !== undefined;
  const judged = fields.filter(
    ([name]) => !ANSWERED_AT_THE_FIELD.includes(name) && !(tokenised && name === 'card_number'),
  );
`,
      put: `  const judged = fields.filter(([name]) => !ANSWERED_AT_THE_FIELD.includes(name));
`,
    },
    {
      path: 'src/doctor/checks.ts',
      find: `  { name: 'vault', asksOutside: always, examine: lookAtVault },\n`,
      put: '',
    },
    {
      path: 'src/gateway/gateway.ts',
      find: 'Every method but `processPayment` throws {@link GatewayError} and nothing else.',
      put: 'Every method throws {@link GatewayError} and nothing else.',
    },
    {
      path: 'views/checkout.ejs',
      find: `<% if (it.page.otherWay) { %>
<p class="or"><span><%= it.t('checkout.or') %></span></p>
<p class="second-way"><a class="button button-second button-wide" href="/checkout/card" data-test="choose-card" aria-describedby="card-hint"><%= it.t('checkout.chooseCard') %></a></p>
<p class="hint" id="card-hint"><%= it.t('checkout.cardHint') %></p>
<% } %>
`,
      put: '',
    },
  ],
  marks: {
    names: ['processPayment', 'accessToken', 'lookAtVault'],
    texts: /\/checkout\/card|\/card\.js|checkout-card|pay-card|choose-card|^vault$/,
  },
};
