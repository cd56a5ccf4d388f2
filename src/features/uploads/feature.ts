import type { Feature } from '../feature.js';

/** Files that merchants send in forms: read with limits, in turns. */
export const uploads: Feature = {
  name: 'uploads',
  place: 155,
  limits: ['uploads'],
};
