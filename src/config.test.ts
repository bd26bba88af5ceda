import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.js';

describe('STORAGE_URL', () => {
  it.each(['file:/var/files', 'file:///var/files', 's3://bucket', 's3://bucket/a/b', 'gs://bucket/a'])(
    'may be %s',
    (url) => expect(readConfig({ STORAGE_URL: url }).storageUrl).toBe(url),
  );

  it.each([
    '/var/files',
    'file:files',
    'file://host/files',
    's3:bucket',
    's3:///a',
    'gs://',
    'https://bucket',
  ])('may not be %s', (url) =>
    expect(() => readConfig({ STORAGE_URL: url })).toThrow('STORAGE_URL: must be file:/folder'),
  );
});

describe('FETCH_ALLOW_HOSTS', () => {
  it('is a list', () => {
    const list = 'wiki.corp, *.lab.corp:8080 ,10.1.0.0/16,fc00::/7,[::1]:90,bücher.example,';
    expect(readConfig({ FETCH_ALLOW_HOSTS: list }).fetchAllowHosts).toEqual([
      'wiki.corp',
      '*.lab.corp:8080',
      '10.1.0.0/16',
      'fc00::/7',
      '[::1]:90',
      'bücher.example',
    ]);
    expect(readConfig({}).fetchAllowHosts).toEqual([]);
  });

  it.each(['http://wiki', 'wiki.corp/page', 'me@wiki', '10.0.0.0/99', 'wiki corp', 'wiki:port'])(
    'has no place for %s',
    (entry) =>
      expect(() => readConfig({ FETCH_ALLOW_HOSTS: entry })).toThrow('FETCH_ALLOW_HOSTS: must be a list'),
  );
});

describe('AUTH_MODE', () => {
  it.each([undefined, '127.0.0.1', '127.9.8.7', '::1', '::ffff:127.0.0.1', 'localhost', 'LOCALHOST'])(
    'is open where only this machine reaches HOST %s',
    (HOST) => expect(readConfig({ HOST }).authMode).toBe('open'),
  );

  it.each(['0.0.0.0', '::', '192.168.1.7', '10.0.0.1', '128.0.0.1', 'lectern.corp', 'localhost.corp'])(
    'must be said where others reach HOST %s',
    (HOST) => {
      expect(() => readConfig({ HOST })).toThrow(ConfigError);
      expect(() => readConfig({ HOST, AUTH_MODE: '' })).toThrow(
        /AUTH_MODE=required .*npm run keys -- create.*AUTH_MODE=open /s,
      );
      expect(readConfig({ HOST, AUTH_MODE: 'open' }).authMode).toBe('open');
      expect(readConfig({ HOST, AUTH_MODE: 'required' }).authMode).toBe('required');
    },
  );

  it('is one of two', () => {
    expect(readConfig({ AUTH_MODE: 'required' }).authMode).toBe('required');
    expect(() => readConfig({ AUTH_MODE: 'off' })).toThrow('AUTH_MODE: ');
  });
});

describe('TRUST_PROXY', () => {
  it.each([
    [undefined, 0],
    ['0', 0],
    ['2', 2],
    ['10.0.0.1, fc00::/7', ['10.0.0.1', 'fc00::/7']],
  ])('%s', (TRUST_PROXY, read) => expect(readConfig({ TRUST_PROXY }).trustProxy).toEqual(read));

  it.each(['true', '-1', '10.0.0.1,', 'proxy.corp'])('may not be %s', (TRUST_PROXY) =>
    expect(() => readConfig({ TRUST_PROXY })).toThrow('TRUST_PROXY: must be a number'),
  );
});

describe('the S3 server', () => {
  const both = { AWS_ENDPOINT_URL_S3: 'https://s3.test', AWS_ENDPOINT_URL: 'https://aws.test' };

  it.each([
    ['that of S3 alone', both, 'https://s3.test'],
    ['that of all of AWS', { AWS_ENDPOINT_URL: both.AWS_ENDPOINT_URL }, 'https://aws.test'],
    ["Amazon's", {}, undefined],
  ])('is %s', (_whose, env, endpoint) => expect(readConfig(env).s3Endpoint).toBe(endpoint));
});
