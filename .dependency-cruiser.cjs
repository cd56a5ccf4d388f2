/** Which folder may import which. `npm run check` refuses any other import. */
const ours = (folder, others, { files = [], except = [], comment } = {}) => ({
  name: `${folder.replaceAll('/', '-')}-imports-only-${[...others, ...files].join('-') || 'itself'}`,
  ...(comment && { comment }),
  severity: 'error',
  from: { path: `^${folder}/`, pathNot: ['/test/', ...except.map((each) => `^${each}/`)] },
  to: {
    path: '^(?:src|tools)/',
    pathNot: `^(?:${[folder, ...others].join('|')})/|^src/(?:${files.join('|') || '-'})\\.ts$`,
  },
});

const packageOnlyIn = (name, packages, allowed) => ({
  name,
  severity: 'error',
  from: { path: '^(?:src|tools)/', pathNot: `${allowed}|/test/` },
  to: { path: `node_modules/(${packages})/` },
});

/** Files of src/checkout/ that are the shop, and those that still join the two. All others are the payments. */
const SHOP_OF_CHECKOUT =
  'change-cart|find-translated-lines|on-paid|order-ownership|insert-order|place-order|read-cart-to-place|reserve-stock|shop-(?:host|jobs)|start-limits';
const JOINED = 'context|delete-expired-rows|run-worker|start-(?:card-payment|hosted-checkout)';
/** Carts, stock, fulfillment and the pages around them. */
const SHOP = [
  `checkout/(?:${SHOP_OF_CHECKOUT})`,
  'db/(?:carts|client-limits|expired-rows|fulfillments|products|stock)',
  'domain/(?:cart|charges|fulfillment|product|search-name|shipping|stock)',
];

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'src-never-imports-tools',
      comment: 'src is what runs in production',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^tools/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'domain holds rules: no packages, no clock, no other folder',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { pathNot: '^src/domain/' },
    },
    ours('src/config', ['src/domain'], { files: ['locales/brand'] }),
    {
      name: 'folders-take-only-types-from-config',
      comment: 'src/context.ts gives each folder the configuration that it uses',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: '^src/config/' },
      to: { path: '^src/config/', dependencyTypesNot: ['type-only'] },
    },
    ours('src/gateway', ['src/domain']),
    ours('src/db', ['src/database', 'src/payments', 'src/domain']),
    ours('src/database', [], { comment: 'it knows no table but that of its limits' }),
    ours('src/payments/store', ['src/database'], { files: ['domain/(?:changes-row|money|order|refund)'] }),
    ours('src/catalog', ['src/database', 'src/db', 'src/domain']),
    ours('src/checkout', ['src/config', 'src/gateway', 'src/database', 'src/db', 'src/domain'], {
      files: ['web/paths'],
      comment: 'the shop as a host names the page of an order',
    }),
    {
      name: 'payments-import-no-shop',
      comment: 'the payments ask their host for the rest, see src/checkout/host.ts',
      severity: 'error',
      from: { path: '^src/checkout/', pathNot: `^src/checkout/(?:${SHOP_OF_CHECKOUT}|${JOINED})` },
      to: { path: `^src/(?:${SHOP.join('|')})\\.ts$|^src/web/` },
    },
    {
      name: 'payment-flow-routes-are-leaves',
      comment: 'a flow can be removed: only app.ts imports its routes',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/app\\.ts$' },
      to: { path: '^src/web/routes/checkout-(?:hosted|card)\\.ts$' },
    },
    {
      name: 'payment-flow-use-cases-are-leaves',
      comment: 'a flow can be removed: only its routes and its payment link import its use case',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot:
          '^src/(?:web/routes/checkout|features/pay-link/pay)-(?:hosted|card)\\.ts$|^src/checkout/start-(?:hosted-checkout|card-payment)\\.ts$|^src/payments/',
      },
      to: { path: '^src/checkout/start-(?:hosted|card)(?:-checkout|-payment)?\\.ts$' },
    },
    {
      name: 'core-imports-only-the-list-of-features',
      comment: 'a feature can be removed: only src/features/index.ts imports it',
      severity: 'error',
      from: { path: '^(?:src|tools)/', pathNot: '^src/features/|/test/' },
      to: { path: '^src/features/', pathNot: '^src/features/index\\.ts$' },
    },
    {
      name: 'features-import-no-other-feature',
      comment: 'a feature can be removed: an exception needs a reason here',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/(?:$1/|feature\\.ts$)' },
    },
    ours('src/locales', ['src/domain']),
    ours('src/content', ['src/locales', 'src/domain']),
    ours('src/mail', ['src/checkout', 'src/config', 'src/locales', 'src/domain'], {
      files: ['web/paths'],
      comment: 'mails link to pages of the shop',
    }),
    {
      name: 'pages-do-not-call-the-gateway',
      severity: 'error',
      from: { path: '^src/(?:web|admin)/' },
      to: { path: '^src/gateway/' },
    },
    {
      name: 'folders-do-not-import-the-entries',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: '^src/cli/' },
      to: { path: '^src/[^/]+\\.ts$', pathNot: '^src/log\\.ts$' },
    },
    ours('tools/simulator', [], { comment: 'the simulator is written from the interface alone' }),
    ours('tools/drill', ['src/database', 'src/db', 'tools/simulator'], {
      comment: 'the drill meets the shop over HTTP and reads its database',
    }),
    ours('tools/bench', ['src/database', 'src/db', 'src/domain'], { files: ['project-root'] }),
    ours('tools/doctor', ['src/catalog', 'src/content', 'src/database', 'src/db', 'src/mail', 'src/domain'], {
      files: ['config/config', 'config/settings', 'env-file', 'project-root'],
    }),
    ours('tools/contract', ['src/domain', 'src/gateway'], {
      files: ['config/settings', 'env-file'],
      comment: 'the contract sends the requests of our own client and judges the responses itself',
    }),
    ours('tools/setup', ['src/domain', 'src/locales'], { files: ['config/settings', 'project-root'] }),
    packageOnlyIn(
      'express-only-in-web',
      'express|express-session|helmet|compression',
      '^src/(web|admin|features)/|^src/checkout/(?:payment-routes|webhook-route)\\.ts$|^src/app\\.ts$|^tools/simulator/|^tools/bench/bare-express\\.ts$',
    ),
    packageOnlyIn('templates-only-in-views', 'ejs', '^src/(web|mail)/|^tools/simulator/'),
    packageOnlyIn('markdown-only-in-content', 'marked', '^src/content/'),
    packageOnlyIn('prompts-only-in-setup', '@clack', '^tools/setup/'),
    packageOnlyIn('uploads-only-in-pictures', '@fastify/busboy', '^src/features/pictures/'),
    packageOnlyIn(
      'sharp-only-where-pictures-are-read',
      'sharp',
      '^src/features/pictures/|^src/cli/picture-warnings\\.ts$',
    ),
    packageOnlyIn('time-based-codes-only-in-admin', 'otpauth', '^src/admin/'),
    packageOnlyIn('qr-codes-only-for-second-factors', 'qr', '^src/(?:features/users/|cli/admin)'),
    packageOnlyIn('prom-client-only-in-metrics', 'prom-client', '^src/features/metrics/'),
    packageOnlyIn('csv-only-in-catalog', 'csv-parse|csv-stringify', '^src/(?:catalog/|features/order-export/)'),
    packageOnlyIn('axios-only-in-gateway', 'axios', '^src/gateway/http\\.ts$|^tools/bench/bare-express\\.ts$'),
    packageOnlyIn('cockatiel-only-where-calls-are-limited', 'cockatiel', '^src/(gateway|admin)/'),
    // The drill's preload scripts see what goes to the database from below the shop's own code.
    packageOnlyIn(
      'sql-only-in-db',
      'kysely|libsql|pg',
      '^src/(?:database|db|payments/store)/|^src/features/[^/]+/repository\\.ts$|^tools/drill/(crash-at-write|freeze-at-lock)\\.ts$|^tools/bench/growth\\.ts$|^tools/doctor/checks/pooler\\.ts$',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
};
