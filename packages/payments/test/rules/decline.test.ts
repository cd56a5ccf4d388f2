import { expect, test } from '@jest/globals';
import { declineReason } from '../../src/rules/decline.js';

test.each([
  ['Declined/AH02', 'cvv'],
  ['Declined/AH03', 'expiry_date'],
  ['Declined/AH04', 'three_d_secure'],
  ['Declined/AS01', 'three_d_secure'],
  ['Declined/BH02', 'expired_card'],
  ['Declined/BS01', 'bank_unavailable'],
  ['Declined/CH01', 'funds'],
  ['Declined/CH03', 'limit'],
  ['Declined/CH05', 'limit'],
  ['Declined/GS04', 'session_expired'],
  ['insufficient_funds', 'funds'],
  ['expired_card', 'expired_card'],
  ['card_declined/CH01', 'funds'],
  ['insufficient_funds/CH03', 'limit'],
] as const)('the gateway status %s has the decline reason %s', (gatewayStatus, reason) => {
  expect(declineReason(gatewayStatus)).toBe(reason);
});

test.each([
  ...['AH05', 'AH06', 'AH07', 'AH08', 'FH01', 'FH02', 'FH03', 'FH04', 'FH05', 'FS01'],
  ...['BH01', 'ZZ99', 'card_declined', 'constructor', '__proto__', ''],
])('the decline code %s has no reason for the customer', (code) => {
  expect(declineReason(`Declined/${code}`)).toBeUndefined();
});
