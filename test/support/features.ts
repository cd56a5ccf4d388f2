import { FEATURES } from '../../src/features/index.js';

/** Returns whether the shop has this feature. For the test of a feature whose page another feature extends. */
export const hasFeature = (name: string): boolean => FEATURES.some((feature) => feature.name === name);
