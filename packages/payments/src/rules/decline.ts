/** Maps decline codes to the reasons that a customer may see. */

/** An allow-list. Fraud reasons and unlisted codes get the general message. */
const REASON_BY_CODE = {
  AH02: 'cvv',
  AH03: 'expiry_date',
  AH04: 'three_d_secure',
  AS01: 'three_d_secure',
  BH02: 'expired_card',
  BS01: 'bank_unavailable',
  CH01: 'funds',
  CH03: 'limit',
  CH05: 'limit',
  GS04: 'session_expired',
  insufficient_funds: 'funds',
  expired_card: 'expired_card',
} as const;

export type DeclineReason = (typeof REASON_BY_CODE)[keyof typeof REASON_BY_CODE];

/** Returns the reason in an attempt's stored status words, such as `Declined/CH01`. The last listed code counts. */
export function declineReason(gatewayStatus: string | null): DeclineReason | undefined {
  const isListed = (code: string): code is keyof typeof REASON_BY_CODE => Object.hasOwn(REASON_BY_CODE, code);
  const code = gatewayStatus?.split('/').findLast(isListed);
  return code && REASON_BY_CODE[code];
}
