import { expect, it } from 'vitest';
import { isPublicAddress } from './safe-address.js';

const publicOnes = [
  '8.8.8.8',
  '1.1.1.1',
  '172.15.0.1',
  '2606:4700:4700::1111',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
];
const others = [
  ...['127.0.0.1', '127.9.9.9', '0.0.0.0', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['169.254.169.254', '100.64.0.1', '100.100.100.200', '168.63.129.16', '192.0.0.192', '198.18.0.1'],
  ...['192.0.2.1', '203.0.113.7', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '2001:db8::1'],
  ...[
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
  ],
  ...['2002:7f00:1::', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '', 'localhost', '999.1.1.1'],
];

it.each(publicOnes)('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));
it.each(others)('%s is not', (address) => expect(isPublicAddress(address)).toBe(false));
