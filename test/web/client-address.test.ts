import { expect, test } from '@jest/globals';
import { clientFor, clientOf } from '../../src/web/client-address.js';

const IPV4 = { addressKey: '198.51.100.7', siteKey: '', networkKey: '' };
const IPV6 = { addressKey: '20010db8000112a5/64', siteKey: '20010db8000112/56', networkKey: '20010db80001/48' };
const UNREADABLE = clientOf({ ip: 'unknown' });

test.each([
  ['198.51.100.7', IPV4],
  ['198.51.100.7:20001', IPV4],
  ['"198.51.100.7:20001"', IPV4],
  [' 198.51.100.7\t', IPV4],
  ['::ffff:198.51.100.7', IPV4],
  ['[::FFFF:198.51.100.7]:443', IPV4],
  ['::ffff:c633:6407', IPV4],
  ['2001:db8:1:12a5::7', IPV6],
  ['2001:0DB8:0001:12A5:0:0:0:7', IPV6],
  ['[2001:db8:1:12a5::7]', IPV6],
  ['[2001:db8:1:12a5::7]:443', IPV6],
  ['"[2001:DB8:1:12a5::7]:443"', IPV6],
  ['2001:db8:1:12a5:ffff:ffff:ffff:ffff', IPV6],
  ['2001:db8:1:12a5:6:7:8:9:443', IPV6],
  ['2001:db8:1:12a5::7%eth0', IPV6],
  ['[2001:db8:1:12a5::7%25eth0]:443', IPV6],
  ['', UNREADABLE],
  ['_hidden', UNREADABLE],
  ['198.51.100', UNREADABLE],
  ['198.51.100.7:20001:1', UNREADABLE],
  ['[198.51.100.7', UNREADABLE],
])('limits name a client with the address %j by it, its /56 and its /48', (ip, expected) => {
  expect(clientOf({ ip })).toEqual(expected);
});

test('all clients without a readable address are one client', () => {
  expect(UNREADABLE).toEqual({ addressKey: 'unreadable', siteKey: '', networkKey: '' });
  expect(clientOf({ ip: undefined })).toEqual(UNREADABLE);
});

test('events of one kind have names of their own, and a missing network has none', () => {
  expect(clientFor('codes', IPV4)).toEqual({ addressKey: 'codes 198.51.100.7', siteKey: '', networkKey: '' });
});
