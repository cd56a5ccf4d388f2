import type { Feature } from '../feature.js';

/** What the merchant changes in the back office: names, texts, pictures and notifications. */
export const shopSettings: Feature = {
  name: 'shop-settings',
  place: 200,
  needs: ['pictures'],
};
