export const postalCodesPaths = {
  postalCode: '/postal-codes/:code',
} as const;
