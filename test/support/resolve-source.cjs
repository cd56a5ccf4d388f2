/** Resolves the import of a `.js` file to the TypeScript file from which it is built. */
module.exports = (path, options) => {
  const isOurs = path.startsWith('.') && !options.basedir.includes('node_modules');
  return options.defaultResolver(isOurs ? path.replace(/\.js$/, '') : path, options);
};
