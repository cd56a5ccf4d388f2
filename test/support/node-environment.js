import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { types } from 'node:util';
import { TestEnvironment } from 'jest-environment-node';

const requireNatively = createRequire(import.meta.url);

/** Jest runs each file in its own realm, and the packages in that of the worker. Both share these types. */
const SHARED = { Date, Error, Map, Promise, RegExp, Set };
const IS_ONE = [
  [Date, types.isDate],
  [Error, types.isNativeError],
  [Promise, types.isPromise],
  [RegExp, types.isRegExp],
];

// Literals, async functions and the engine create values of the realm of their file.
for (const [type, isOne] of IS_ONE) {
  const hasInstance = type[Symbol.hasInstance];
  Object.defineProperty(type, Symbol.hasInstance, {
    value(value) {
      return Reflect.apply(hasInstance, this, [value]) || (this === type && isOne(value));
    },
  });
}

/** The storages that the current file used. Each one that stays enabled slows down every promise of the worker. */
const usedStorages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function runAndRecord(...args) {
  usedStorages.add(this);
  return Reflect.apply(run, this, args);
};

/** Offers the test files the packages of the worker. See `load-natively.js`. */
export default class NodeEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.assign(this.global, SHARED, { requireNatively });
  }

  async teardown() {
    for (const storage of usedStorages) storage.disable();
    usedStorages.clear();
    await super.teardown();
  }
}
