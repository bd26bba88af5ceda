import { expect, test } from 'vitest';
import { sharedAddresses } from './shared-addresses.js';

const ADDRESSES = [
  '192.0.2.7',
  '::ffff:192.0.2.7',
  '2001:db8::1',
  '127.0.0.1',
  '::ffff:127.0.0.1',
  '::1',
  '',
];

test.each([
  ['none', 0, false, []],
  ['this machine', 0, true, ['127.0.0.1', '::ffff:127.0.0.1', '::1']],
  ['any that is nearest', 1, false, ADDRESSES],
  ['a proxy', ['192.0.2.7'], false, ['192.0.2.7', '::ffff:192.0.2.7']],
  ['ranges', ['192.0.2.0/24', '2001:db8::/32'], false, ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1']],
])('%s', (_name, trustProxy, includeLoopback, shared) => {
  expect(ADDRESSES.filter(sharedAddresses(trustProxy, { includeLoopback }))).toEqual(shared);
});
