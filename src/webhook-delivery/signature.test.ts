import { expect, it } from 'vitest';
import { signWebhook } from './signature.js';

const content = { id: 'msg_1', timestamp: 1_700_000_000, body: '{"type":"document.ready"}' };

// By `openssl dgst -sha256 -mac HMAC -macopt hexkey:…`.
it('signs id, time and body with each secret', () => {
  const secrets = [0x61, 0x62].map((byte) => `whsec_${Buffer.alloc(24, byte).toString('base64')}`);
  expect(signWebhook(secrets, content)).toBe(
    'v1,DFbYYcgRmZ9osSUsPkGjJmJvX3o8MqWeGjVaHdYTvls= v1,umThm5trgO4bUMG22CpM0xn9qz4cTFz7T45fd3nBIA4=',
  );
});
