import { afterAll } from '@jest/globals';
import { type Brand, brand } from '../../src/locales/brand.js';

/** Members of the brand. Each changed one exists in the brand of the shop. */
type Changes<T> = { readonly [K in keyof T]?: T[K] extends object ? Changes<T[K]> : T[K] };

/** Changes the brand until the end of the test file. All files of a worker share the modules of `src/`. */
export function changeBrand(changes: Changes<Brand>): void {
  const before = structuredClone(brand);
  assignDeep(brand, changes);
  afterAll(() => assignDeep(brand, before));
}

function assignDeep(target: object, source: object): void {
  for (const [key, value] of Object.entries(source)) {
    const present: unknown = Reflect.get(target, key);
    if (typeof present === 'object' && present !== null) assignDeep(present, value);
    else Reflect.set(target, key, value);
  }
}
