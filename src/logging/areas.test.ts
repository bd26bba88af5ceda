import { expect, test } from 'vitest';
import { createAreaLogs, parseLogLevels } from './areas.js';
import { createLog } from './log.js';

test.each([
  ['warn', { level: 'warn', areas: {} }],
  ['info, requests=warn,search=debug', { level: 'info', areas: { requests: 'warn', search: 'debug' } }],
  ['loud', undefined],
  ['requests=warn', undefined],
  ['info,request=warn', undefined],
  ['info,requests', undefined],
])('%j', (text, levels) => {
  expect(parseLogLevels(text)).toEqual(levels);
});

test('an area may log less or more than the rest', () => {
  const lines: unknown[] = [];
  const log = createLog({
    level: 'info',
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  const areas = createAreaLogs(log, { level: 'info', areas: { requests: 'warn', search: 'debug' } });
  areas.requests.info('request');
  areas.requests.warn('slow');
  areas.search.debug('looked up');
  areas.webhooks.debug('sent');
  areas.webhooks.info('delivered');
  expect(lines).toMatchObject([
    { area: 'requests', msg: 'slow' },
    { area: 'search', msg: 'looked up' },
    { area: 'webhooks', msg: 'delivered' },
  ]);
});
