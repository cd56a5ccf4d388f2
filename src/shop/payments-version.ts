import { PAYMENTS_VERSION } from '@tianguis/payments/operations';

const { version, commit } = PAYMENTS_VERSION;

/** Which payments run, as `2.0.0 (commit)`. The public must not see it. */
export const PAYMENTS_TEXT = commit === undefined ? version : `${version} (${commit})`;

/** The same as fields of logs and reports. */
export const PAYMENTS_FIELDS = { payments: version, paymentsCommit: commit } as const;
