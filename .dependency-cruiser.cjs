/** The doors between the rooms: who may import whom. `npm run check` refuses anything else. */
const rooms = 'core|gateway|store|checkout|web|words|mail|metrics';

const packageOnlyIn = (name, packages, allowed) => ({
  name,
  severity: 'error',
  from: { path: '^src/', pathNot: allowed },
  to: { path: `node_modules/(${packages})/` },
});

/** A room may import itself and these; all of ours beyond is closed to it. */
const door = (room, others, { files = [], comment } = {}) => ({
  name: [`${room}-to`, ...others, ...files].join('-'),
  ...(comment && { comment }),
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: {
    path: '^src/',
    pathNot: `^src/(?:(?:${[room, ...others].join('|')})/|(?:${files.join('|') || '-'})\\.ts$)`,
  },
});

/** Nobody but the room itself and these may import it. */
const closed = (room, { but = '-', comment } = {}) => ({
  name: `nobody-imports-${room}`,
  ...(comment && { comment }),
  severity: 'error',
  from: { path: '^src/', pathNot: `^src/(?:${room}/|${but})` },
  to: { path: `^src/${room}/` },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'core-is-pure',
      comment: 'core holds decisions: no packages, no clock, no other room',
      severity: 'error',
      from: { path: '^src/core/' },
      to: { pathNot: '^src/core/' },
    },
    door('gateway', ['core']),
    door('store', ['core']),
    door('checkout', ['gateway', 'store', 'core']),
    {
      name: 'web-speaks-through-checkout',
      comment: 'web translates: it never talks to the payment service itself',
      severity: 'error',
      from: { path: '^src/web/' },
      to: { path: '^src/gateway/' },
    },
    door('words', ['core']),
    door('mail', ['checkout', 'words', 'core']),
    door('metrics', ['checkout', 'gateway', 'store', 'core']),
    closed('metrics', {
      but: 'services\\.ts$',
      comment:
        'the rooms tell an observer what they do; who counts it is chosen where the services are built',
    }),
    {
      name: 'rooms-do-not-import-the-mains',
      severity: 'error',
      from: { path: `^src/(${rooms})/` },
      to: { path: '^src/[^/]+\\.ts$', pathNot: '^src/log\\.ts$' },
    },
    door('simulator', []),
    closed('simulator', { but: 'start\\.ts$' }),
    door('drill', ['store', 'core'], {
      comment: 'the drill meets the shop over HTTP and reads its books; it knows nothing else of it',
    }),
    closed('drill', { but: 'bench/', comment: 'but the bench, which starts and asks programs as it does' }),
    door('bench', ['drill', 'store', 'core'], {
      comment: 'the bench meets the shop over HTTP; it fills its database and knows nothing else of it',
    }),
    closed('bench'),
    door('doctor', ['store', 'mail', 'core'], {
      files: ['config', 'settings'],
      comment: 'the doctor asks the shop and the service from outside, with no code of theirs',
    }),
    closed('doctor'),
    door('contract', ['core'], {
      files: ['settings'],
      comment: 'the contract suite judges the service, so it must not see it through our own client',
    }),
    closed('contract'),
    door('new-shop', [], {
      comment: 'it takes parts of the project out, so it must stand on none of them',
    }),
    closed('new-shop'),
    packageOnlyIn(
      'express-only-in-web',
      'express|express-session|helmet',
      '^src/(web|simulator)/|^src/app\\.ts$|^src/bench/baselines\\.ts$',
    ),
    packageOnlyIn(
      'templates-only-where-pages-and-mails-are-written',
      'ejs',
      '^src/(web|mail|simulator)/|^src/bench/baselines\\.ts$',
    ),
    packageOnlyIn('typescript-only-in-new-shop', 'typescript', '^src/new-shop/'),
    packageOnlyIn('prom-client-only-in-metrics', 'prom-client', '^src/metrics/'),
    packageOnlyIn('axios-only-in-gateway', 'axios|cockatiel', '^src/(gateway|simulator)/'),
    // The drill's crash-at-write counts what goes to the database from below the shop's own code.
    packageOnlyIn(
      'sql-only-in-store',
      'kysely|libsql|pg',
      '^src/store/|^src/drill/crash-at-write\\.ts$|^src/bench/fill\\.ts$',
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
