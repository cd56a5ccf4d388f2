const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

/** Which folder may import which. `npm run check` refuses any other import. */
const ours = (folder, others, { files = [], except = [], comment } = {}) => ({
  name: `${folder.replaceAll('/', '-')}-imports-only-${[...others, ...files].join('-') || 'itself'}`,
  ...(comment && { comment }),
  severity: 'error',
  from: { path: `^${folder}/`, pathNot: ['/test/', ...except.map((each) => `^${each}/`)] },
  to: {
    path: '^(?:src|tools|packages)/',
    pathNot: `^(?:${[folder, ...others].join('|')})/|^src/(?:${files.join('|') || '-'})\\.ts$`,
  },
});

const packageOnlyIn = (name, packages, allowed) => ({
  name,
  severity: 'error',
  from: { path: '^(?:src|tools|packages)/', pathNot: `${allowed}|/test/` },
  to: { path: `node_modules/(${packages})/` },
});

/** Pure rules, which every folder may use. */
const RULES = ['packages/payments/src/rules', 'src/shop/rules'];

const foldersIn = (path) =>
  readdirSync(join(__dirname, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? entry.name : [],
  );

function needsOf(folder) {
  const file = join(__dirname, 'src/features', folder, 'feature.ts');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const [, names = ''] = /^ *needs: \[([^\]]*)\]/m.exec(text) ?? [];
  return [...names.matchAll(/'([^']+)'/g)].map(([, name]) => name);
}

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'src-never-imports-tools-or-examples',
      comment: 'src is what runs in production',
      severity: 'error',
      from: { path: '^src/', pathNot: '/test/' },
      to: { path: '^(?:tools|examples|packages/gateway-tools)/|node_modules/@tianguis/gateway-tools/' },
    },
    {
      name: 'payment-rules-are-pure',
      comment: 'no packages, no clock, no other folder',
      severity: 'error',
      from: { path: '^packages/payments/src/rules/' },
      to: { pathNot: '^packages/payments/src/rules/' },
    },
    {
      name: 'shop-rules-are-pure',
      comment: 'no packages, no clock, no other folder but the rules of the payments',
      severity: 'error',
      from: { path: '^src/shop/rules/' },
      to: { pathNot: '^src/shop/rules/|^(?:packages/payments/src|node_modules/@tianguis/payments/dist)/rules/' },
    },
    {
      name: 'placed-orders-read-no-shipping-rules',
      comment: 'an order froze its shipping option. What is shown and priced before it is placed reads the rules',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot:
          '^src/(?:shop/rules/(?:cart|fees)|locales/shipping-text|web/(?:cart-page|submit-checkout)|features/merchant-orders/form-page)\\.ts$|/test/',
      },
      to: { path: '^src/shop/rules/shipping\\.ts$' },
    },
    ours('packages/payments/src', [], {
      comment: 'they ask their host for the rest, see packages/payments/src/host.ts',
    }),
    {
      name: 'payments-are-imported-by-their-entries',
      comment: 'those of their package.json, tests also by ./testing',
      severity: 'error',
      from: { path: '^(?:src|tools|examples)/', pathNot: '/test/' },
      to: {
        path: '^packages/payments/src/',
        pathNot: '^packages/payments/src/(?:index|back-office|operations|settings|(?:rules|database)/index)\\.ts$',
      },
    },
    {
      name: 'storefront-imports-the-door-and-the-rules',
      comment: 'rows of the payments come from payments.orders. Probes belong to the operation of the shop',
      severity: 'error',
      from: { path: '^src/(?:web|flows)/', pathNot: '^src/web/(?:services|routes/monitoring)\\.ts$|/settings\\.ts$' },
      to: { path: '^packages/payments/src/(?:back-office|operations|settings)\\.ts$' },
    },
    ours('src/config', ['packages/payments/src', ...RULES], {
      files: ['(?:features|flows)/settings', 'locales/brand'],
    }),
    {
      name: 'folders-take-only-types-from-config',
      comment: 'src/context.ts gives each folder the configuration that it uses',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: '^src/config/|/test/' },
      to: { path: '^src/config/', dependencyTypesNot: ['type-only'] },
    },
    ours('src/tables', ['packages/payments/src', 'src/shop/rules'], { files: ['features/(?:rows|tables)'] }),
    ours('packages/payments/src/database', [], { comment: 'it knows no table but that of its limits' }),
    ours('src/catalog', ['packages/payments/src/database', 'src/tables', ...RULES]),
    ours('src/shop', ['packages/payments/src', 'src/config', 'src/tables']),
    {
      name: 'others-import-only-the-lists-of-payment-flows',
      comment: 'a flow can be removed: only the generated lists import it',
      severity: 'error',
      from: { path: '^(?:src|tools)/', pathNot: '^src/flows/|^src/features/messages\\.ts$|/test/' },
      to: { path: '^src/flows/', pathNot: '^src/flows/(?:index|settings)\\.ts$' },
    },
    ...foldersIn('src/flows').map((folder) => ({
      name: 'payment-flows-import-no-other-flow-and-no-feature',
      comment: 'each can be removed alone',
      severity: 'error',
      from: { path: `^src/flows/${folder}/` },
      to: { path: '^src/(?:flows|features)/', pathNot: `^src/flows/${folder}/` },
    })),
    {
      name: 'core-imports-only-the-lists-of-features',
      comment: 'a feature can be removed: only the generated lists import it',
      severity: 'error',
      from: { path: '^(?:src|tools)/', pathNot: '^src/features/|/test/' },
      to: { path: '^src/features/', pathNot: '^src/features/(?:index|messages|rows|settings|tables)\\.ts$' },
    },
    ...foldersIn('src/features').map((folder) => ({
      name: 'features-import-only-the-features-that-they-need',
      comment: 'a feature can be removed: its feature.ts names those that it needs',
      severity: 'error',
      from: { path: `^src/features/${folder}/`, pathNot: '/test/' },
      to: {
        path: '^src/features/',
        pathNot: `^src/features/(?:(?:${[folder, ...needsOf(folder)].join('|')})/|feature\\.ts$)`,
      },
    })),
    {
      name: 'back-office-imports-no-page-of-the-storefront',
      comment: 'what both show is in files of src/web/ that are no pages',
      severity: 'error',
      from: { path: '^src/admin/' },
      to: {
        path: '^src/web/(?:order/order-(?:page|parts|texts|view)|contact-fields|cart-form|checkout-form|submit-checkout|variants|routes/)',
      },
    },
    ours('src/locales', [...RULES], { files: ['features/messages'] }),
    ours('src/content', ['src/locales', ...RULES], { files: ['project-root'] }),
    ours('src/settings', ['src/config', 'src/content', 'src/locales', 'src/shop', ...RULES], {
      files: ['project-root'],
      comment: 'what a merchant stores. The environment is read by src/config/',
    }),
    ours('src/mail', ['src/shop', 'src/config', 'src/locales', ...RULES], {
      files: ['web/paths'],
      comment: 'mails link to pages of the shop',
    }),
    {
      name: 'folders-do-not-import-the-entries',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: '^src/cli/|/test/' },
      to: { path: '^src/[^/]+\\.ts$', pathNot: '^src/(?:log|project-root)\\.ts$' },
    },
    ours('examples/minimal', ['packages/payments/src'], {
      comment: 'it compiles with them and packages alone',
    }),
    ours('packages/gateway-tools/src', [], { comment: 'they are written from the interface alone' }),
    ours('tools/drill', ['packages/payments/src/database', 'packages/gateway-tools/src', 'src/tables', ...RULES], {
      comment: 'the drill meets the shop over HTTP and reads its database',
    }),
    ours('tools/bench', ['src/catalog', 'packages/payments/src/database', 'src/tables', ...RULES], {
      files: ['project-root'],
    }),
    ours(
      'tools/doctor',
      ['src/catalog', 'src/content', 'packages/payments/src/database', 'src/tables', 'src/mail', ...RULES],
      {
        files: [
          'config/config',
          'config/settings',
          'env-file',
          'features/index',
          'features/rows',
          'features/settings',
          'project-root',
          'shop/payments-version',
          'shop/read-shipping-table',
        ],
      },
    ),
    {
      name: 'simulator-and-contract-import-nothing-of-the-other',
      comment: 'one tests the other',
      severity: 'error',
      from: { path: '^packages/gateway-tools/src/(simulator|contract)/' },
      to: { path: '^packages/gateway-tools/src/', pathNot: '^packages/gateway-tools/src/$1/' },
    },
    {
      name: 'gateway-tools-are-imported-by-their-entry',
      severity: 'error',
      from: { path: '^(?:src|tools|examples)/', pathNot: '/test/' },
      to: { path: '^packages/gateway-tools/src/', pathNot: '^packages/gateway-tools/src/index\\.ts$' },
    },
    ours('tools/setup', ['packages/payments/src', ...RULES, 'src/locales'], {
      files: ['config/settings', 'content/sample-texts', 'features/settings', 'project-root'],
    }),
    ours('tools/features', ['tools/dev'], { comment: 'it runs when the shop does not compile' }),
    packageOnlyIn(
      'express-only-in-web',
      'express|express-session|helmet|compression',
      '^src/(web|admin|features|flows)/|^packages/payments/src/(?:clean-links|payments|payment-routes|receive-webhook)\\.ts$|^src/app\\.ts$|^packages/gateway-tools/src/simulator/|^tools/bench/bare-express\\.ts$',
    ),
    packageOnlyIn('templates-only-in-views', 'ejs', '^src/(web|mail)/|^packages/gateway-tools/src/simulator/'),
    packageOnlyIn('markdown-only-in-content', 'marked', '^src/content/'),
    packageOnlyIn('prompts-only-in-setup', '@clack', '^tools/setup/'),
    packageOnlyIn('busboy-only-in-uploads', '@fastify/busboy', '^src/features/uploads/'),
    packageOnlyIn('sharp-only-in-pictures', 'sharp', '^src/features/pictures/'),
    packageOnlyIn('codes-only-for-second-factors', 'otpauth|qr', '^src/features/second-factor/'),
    packageOnlyIn('xml-only-in-invoices', 'saxes', '^src/features/invoices/'),
    packageOnlyIn('prom-client-only-in-metrics', 'prom-client', '^src/features/metrics/'),
    packageOnlyIn(
      'csv-only-in-catalog',
      'csv-parse|csv-stringify',
      '^src/(?:catalog/|features/order-export/|cli/export(?:-file|ed-payments)\\.ts$)',
    ),
    packageOnlyIn(
      'axios-only-in-gateway',
      'axios',
      '^packages/(?:payments/src/gateway/http|gateway-tools/src/contract/gateway-client)\\.ts$|^tools/bench/bare-express\\.ts$',
    ),
    packageOnlyIn('cockatiel-only-where-calls-are-limited', 'cockatiel', '^packages/payments/src/gateway/|^src/admin/'),
    // The drill's preload scripts see what goes to the database from below the shop's own code.
    packageOnlyIn(
      'sql-only-in-db',
      'kysely|libsql|pg',
      '^packages/payments/src/(?:database|store)/|^src/tables/|^src/features/[^/]+/(?:repository|tables)\\.ts$|^tools/drill/(crash-at-write|freeze-at-lock)\\.ts$|^tools/bench/growth\\.ts$|^tools/dev/schema-page\\.ts$|^tools/doctor/checks/pooler\\.ts$',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^packages/[^/]+/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
};
