/** Prepares each test file: the simulator profile of its project, and one meaning of `instanceof Error`. */
import { types } from 'node:util';

const profile: unknown = Reflect.get(globalThis, 'SIMULATOR_PROFILE');
if (typeof profile === 'string') process.env['SIMULATOR_PROFILE'] = profile;

// Jest runs each file in its own realm. Errors of Node come from another one. Here they are instances of `Error` too,
// as they are in production.
const hasInstance = Error[Symbol.hasInstance];
Object.defineProperty(Error, Symbol.hasInstance, {
  value(this: unknown, value: unknown) {
    return Reflect.apply(hasInstance, this, [value]) || (this === Error && types.isNativeError(value));
  },
});
