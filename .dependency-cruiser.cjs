/** The doors between the rooms: who may import whom. `npm run check` refuses anything else. */
const rooms = 'core|gateway|store|checkout|web|words|mail|metrics';

const packageOnlyIn = (name, packages, allowed) => ({
  name,
  severity: 'error',
  from: { path: '^src/', pathNot: allowed },
  to: { path: `node_modules/(${packages})/` },
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
    {
      name: 'gateway-to-core',
      severity: 'error',
      from: { path: '^src/gateway/' },
      to: { path: '^src/', pathNot: '^src/(gateway|core)/' },
    },
    {
      name: 'store-to-core',
      severity: 'error',
      from: { path: '^src/store/' },
      to: { path: '^src/', pathNot: '^src/(store|core)/' },
    },
    {
      name: 'checkout-to-gateway-store-core',
      severity: 'error',
      from: { path: '^src/checkout/' },
      to: { path: '^src/', pathNot: '^src/(checkout|gateway|store|core)/' },
    },
    {
      name: 'web-speaks-through-checkout',
      comment: 'web translates: it never talks to the payment service itself',
      severity: 'error',
      from: { path: '^src/web/' },
      to: { path: '^src/gateway/' },
    },
    {
      name: 'words-to-core',
      severity: 'error',
      from: { path: '^src/words/' },
      to: { path: '^src/', pathNot: '^src/(words|core)/' },
    },
    {
      name: 'mail-to-checkout-words-core',
      severity: 'error',
      from: { path: '^src/mail/' },
      to: { path: '^src/', pathNot: '^src/(mail|checkout|words|core)/' },
    },
    {
      name: 'metrics-to-checkout-gateway-store-core',
      severity: 'error',
      from: { path: '^src/metrics/' },
      to: { path: '^src/', pathNot: '^src/(metrics|checkout|gateway|store|core)/' },
    },
    {
      name: 'nobody-imports-the-metrics',
      comment:
        'the rooms tell an observer what they do; who counts it is chosen where the services are built',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(metrics/|services\\.ts$)' },
      to: { path: '^src/metrics/' },
    },
    {
      name: 'rooms-do-not-import-the-mains',
      severity: 'error',
      from: { path: `^src/(${rooms})/` },
      to: { path: '^src/[^/]+\\.ts$', pathNot: '^src/log\\.ts$' },
    },
    {
      name: 'nobody-imports-the-simulator',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(simulator/|start\\.ts$)' },
      to: { path: '^src/simulator/' },
    },
    {
      name: 'simulator-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^src/simulator/' },
      to: { path: '^src/', pathNot: '^src/simulator/' },
    },
    {
      name: 'drill-to-store-core',
      comment: 'the drill meets the shop over HTTP and reads its books; it knows nothing else of it',
      severity: 'error',
      from: { path: '^src/drill/' },
      to: { path: '^src/', pathNot: '^src/(drill|store|core)/' },
    },
    {
      name: 'nobody-imports-the-drill',
      severity: 'error',
      comment: 'but the bench, which starts and asks programs as it does',
      from: { path: '^src/', pathNot: '^src/(drill|bench)/' },
      to: { path: '^src/drill/' },
    },
    {
      name: 'bench-to-drill-store-core',
      comment: 'the bench meets the shop over HTTP; it fills its database and knows nothing else of it',
      severity: 'error',
      from: { path: '^src/bench/' },
      to: { path: '^src/', pathNot: '^src/(bench|drill|store|core)/' },
    },
    {
      name: 'nobody-imports-the-bench',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/bench/' },
      to: { path: '^src/bench/' },
    },
    {
      name: 'doctor-to-config-store-mail-core',
      comment: 'the doctor asks the shop and the service from outside, with no code of theirs',
      severity: 'error',
      from: { path: '^src/doctor/' },
      to: { path: '^src/', pathNot: '^src/(?:(?:doctor|store|mail|core)/|(?:config|settings)\\.ts$)' },
    },
    {
      name: 'nobody-imports-the-doctor',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/doctor/' },
      to: { path: '^src/doctor/' },
    },
    {
      name: 'contract-to-settings-core',
      comment: 'the contract suite judges the service, so it must not see it through our own client',
      severity: 'error',
      from: { path: '^src/contract/' },
      to: { path: '^src/', pathNot: '^src/(?:(?:contract|core)/|settings\\.ts$)' },
    },
    {
      name: 'nobody-imports-the-contract',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/contract/' },
      to: { path: '^src/contract/' },
    },
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
