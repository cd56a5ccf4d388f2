/** Headers between `npm run doctor` and the probe of the shop. `key`: the HMAC-SHA-256 of this name, with `SESSION_SECRET`. */
export const DOCTOR_HEADERS = {
  key: 'X-Doctor-Key',
  /** `X-Forwarded-For` as the shop received it, percent-encoded. */
  forwarded: 'X-Doctor-Forwarded',
  /** The address of the client in limits. */
  client: 'X-Doctor-Client',
  /** Version and commit of the payments that run. */
  payments: 'X-Doctor-Payments',
} as const;
