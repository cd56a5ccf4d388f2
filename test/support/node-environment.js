import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';

/** The storages that the current file used. Each one that stays enabled slows down every promise of the worker. */
const usedStorages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function runAndRecord(...args) {
  usedStorages.add(this);
  return Reflect.apply(run, this, args);
};

/** The environment of a test file. See `native-runtime.js`. */
export default class NodeEnvironment extends TestEnvironment {
  async teardown() {
    for (const storage of usedStorages) storage.disable();
    usedStorages.clear();
    await super.teardown();
  }
}
