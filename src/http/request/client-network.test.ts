import { expect, test } from 'vitest';
import { networkOf } from './client-network.js';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:4711', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3::4', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2:3::4]:4711', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2:3::4]', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['somebody', 'unknown'],
  ['', 'unknown'],
  [undefined, 'unknown'],
])('%j is of the network %s', (text, network) => {
  expect(networkOf(text)).toBe(network);
});
