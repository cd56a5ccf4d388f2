/** Resolves the files of `src/payments/gateway/` that have a counterpart here to that counterpart, as if it had replaced them. */
const { existsSync } = require('node:fs');
const { basename, join, sep } = require('node:path');
const resolveSource = require('../../support/resolve-source.cjs');

const FOLDER = join('src', 'payments', 'gateway') + sep;

module.exports = (path, options) => {
  const file = resolveSource(path, options);
  const counterpart = join(__dirname, basename(file));
  return file.includes(FOLDER) && existsSync(counterpart) ? counterpart : file;
};
