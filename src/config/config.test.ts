import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { permissions } from '../auth/permissions.js';
import { signInProviders } from '../auth/sign-in/providers.js';
import { assertAuthModeSet, assertRoleServable, ConfigError, readConfig } from './config.js';

const WITH_PASSWORD = 'must have no user and password: a key has a variable of its own';
const NOT_A_URL =
  'must be a valid URL; other characters in user and password than letters, digits, - and _ are written as %40 for @, %23 for #, %2F for /';

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

describe('DATABASE_URL', () => {
  it.each(['prefer', 'require', 'verify-ca'])('says what sslmode=%s means to pg: verify-full', (mode) => {
    const url = (sslmode: string) =>
      `postgres://me:a%40b@db/x?application_name=a&sslmode=${sslmode}&sslrootcert=ca`;
    expect(readConfig({ DATABASE_URL: url(mode) }).databaseUrl).toBe(url('verify-full'));
  });

  it.each([
    'postgres://me@db/x',
    'postgres://me@db/x?sslmode=disable',
    'postgres://me@db/x?sslmode=no-verify',
    'postgres://me@db/x?sslmode=verify-full',
    'postgres://me@db/x?uselibpqcompat=true&sslmode=require',
    'postgres://me@db/sslmode=require',
  ])('%s is left as it is', (url) => expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url));
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
      const listen = (env: NodeJS.ProcessEnv) => () => assertAuthModeSet(readConfig(env));
      expect(listen({ HOST })).toThrow(ConfigError);
      expect(listen({ HOST, AUTH_MODE: '' })).toThrow(
        /AUTH_MODE=required .*lectern keys create.*AUTH_MODE=open /s,
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

describe('RERANK_*', () => {
  const RERANK_URL = 'http://127.0.0.1:8000/v1';

  it.each([
    ['none', {}, undefined],
    [
      'with a model',
      { RERANK_URL, RERANK_MODEL: 'cross', RERANK_API_KEY: 'secret', RERANK_TIMEOUT_MS: '300' },
      { endpoint: { url: RERANK_URL, model: 'cross', apiKey: 'secret' }, timeoutMs: 300 },
    ],
    [
      'without one',
      { RERANK_URL },
      { endpoint: { url: RERANK_URL, model: undefined, apiKey: undefined }, timeoutMs: 800 },
    ],
  ])('%s', (_which, env, reranking) => expect(readConfig(env).reranking).toEqual(reranking));

  it.each(['RERANK_MODEL', 'RERANK_API_KEY'])('%s needs an endpoint', (name) =>
    expect(() => readConfig({ [name]: 'cross' })).toThrow('Set RERANK_URL'),
  );
});

describe('RATE_LIMIT_*', () => {
  const DEFAULTS = {
    store: 'postgres',
    keyRequests: { amount: 1_200, seconds: 60 },
    tenantRequests: { amount: 6_000, seconds: 60 },
    keySuggestions: { amount: 3_000, seconds: 60 },
    tenantSuggestions: { amount: 15_000, seconds: 60 },
    keyUploadBytes: { amount: 1_073_741_824, seconds: 60 },
    tenantUploadBytes: { amount: 4_294_967_296, seconds: 60 },
    failedKeys: { amount: 60, seconds: 60 },
  };

  it('has defaults where keys are needed, and none where they are not', () => {
    expect(readConfig({ AUTH_MODE: 'required' }).rateLimits).toEqual(DEFAULTS);
    expect(readConfig({}).rateLimits).toEqual({ store: 'postgres' });
  });

  it('can be changed and switched off one by one', () => {
    const env = { RATE_LIMIT_STORE: 'memory', RATE_LIMIT_KEY_REQUESTS: '5/86400' };
    expect(readConfig({ ...env, RATE_LIMIT_KEY_UPLOAD_BYTES: 'off' }).rateLimits).toEqual({
      store: 'memory',
      keyRequests: { amount: 5, seconds: 86_400 },
    });
    expect(readConfig({ ...env, AUTH_MODE: 'required', RATE_LIMIT_FAILED_KEYS: 'off' }).rateLimits).toEqual({
      ...DEFAULTS,
      store: 'memory',
      keyRequests: { amount: 5, seconds: 86_400 },
      failedKeys: undefined,
    });
  });

  it.each(['0/60', '5', '5/0', '-1/60', '1.5/60', '5/60s', 'none', '5/2678401'])('may not be %s', (limit) =>
    expect(() => readConfig({ RATE_LIMIT_KEY_REQUESTS: limit })).toThrow('RATE_LIMIT_KEY_REQUESTS: must be'),
  );

  it.each(['RATE_LIMIT_TENANT_REQUESTS', 'RATE_LIMIT_TENANT_UPLOAD_BYTES', 'RATE_LIMIT_FAILED_KEYS'])(
    '%s is refused where nobody has a key',
    (name) => {
      expect(() => readConfig({ [name]: '5/60' })).toThrow(`${name} needs AUTH_MODE=required`);
      expect(readConfig({ [name]: 'off' }).rateLimits).toEqual({ store: 'postgres' });
    },
  );
});

describe('CORS_ORIGINS', () => {
  it.each([
    ['', []],
    ['*', ['*']],
    ['https://a.example, http://localhost:5173', ['https://a.example', 'http://localhost:5173']],
  ])('may be %s', (list, origins) => expect(readConfig({ CORS_ORIGINS: list }).corsOrigins).toEqual(origins));

  it.each(['a.example', 'https://a.example/', 'https://a.example/page', 'https://*.example', 'file:///a'])(
    'may not be %s',
    (list) => expect(() => readConfig({ CORS_ORIGINS: list })).toThrow('CORS_ORIGINS: must be'),
  );
});

describe('PUBLIC_URL', () => {
  it.each([
    ['', undefined],
    ['https://Lectern.test/', 'https://lectern.test'],
    ['http://lectern.test:8080', 'http://lectern.test:8080'],
  ])('may be "%s"', (url, origin) => expect(readConfig({ PUBLIC_URL: url }).publicUrl).toBe(origin));

  it.each([
    ['lectern.test', 'must begin with http:// or https://'],
    ['https://', 'must begin with http:// or https://'],
    ['https://!@', 'must be a valid URL'],
    ['https://user:secret@lectern.test', 'must have no user and password'],
    ['https://lectern.test/console', 'must be an address without a path'],
    ['https://lectern.test?tenant=acme', 'must be an address without a path'],
  ])('may not be %s', (url, reason) =>
    expect(() => readConfig({ PUBLIC_URL: url })).toThrow(`PUBLIC_URL: ${reason}`),
  );
});

describe('ALLOWED_HOSTS', () => {
  it.each([
    ['', []],
    ['lectern.test, Docs.test:8080,lectern', ['lectern.test', 'Docs.test:8080', 'lectern']],
    ['bücher.test', ['bücher.test']],
  ])('may be %s', (list, hosts) => expect(readConfig({ ALLOWED_HOSTS: list }).allowedHosts).toEqual(hosts));

  it.each(['*', 'https://a.test', 'a.test/', 'a.test:port', 'a.test:65536', 'a@b.test', '*.a.test', 'a b'])(
    'may not be %s',
    (list) => expect(() => readConfig({ ALLOWED_HOSTS: list })).toThrow('ALLOWED_HOSTS: must be'),
  );
});

describe('what it refuses', () => {
  it.each([
    ['PORT', 'abc', 'must be a number (is "abc")'],
    ['PORT', '80.5', 'must be a whole number (is "80.5")'],
    ['PORT', '-1', 'must be at least 0 (is "-1")'],
    ['PORT', '70000', 'must be at most 65535 (is "70000")'],
    ['AUTH_MODE', 'off', 'must be open or required (is "off")'],
    ['DEFAULT_TENANT_ID', 'x'.repeat(256), `must be at most 255 characters long (is "${'x'.repeat(256)}")`],
    ['DATABASE_URL', 'mysql://me:s3cret@db/x', 'must begin with postgres:// or postgresql://'],
    ['DATABASE_URL', 'me:s3cret@db/x', 'must begin with postgres:// or postgresql://'],
    ['DATABASE_URL', 'postgres://me:s3cret@db:port/x', NOT_A_URL],
    ['DATABASE_URL', 'postgres://me:s3cret/#1@db/x', NOT_A_URL],
    ['MEILI_URL', 'me:s3cret@search', 'must begin with http:// or https://'],
    ['EMBEDDING_URL', 'http://', 'must begin with http:// or https://'],
    ['MEILI_URL', 'http://me:s3cret@server', WITH_PASSWORD],
    ['MEILI_PROPERTIES', 'team,a b', 'must be names of letters, digits, - and _ (is "team,a b")'],
    ['EMBEDDING_URL', 'http://me:s3cret@server', WITH_PASSWORD],
    ['RERANK_URL', 'http://:s3cret@server', WITH_PASSWORD],
    ['AWS_ENDPOINT_URL_S3', 'http://me@server', WITH_PASSWORD],
  ])('%s=%s', (name, value, sentence) =>
    expect(() => readConfig({ [name]: value })).toThrow(
      new ConfigError(
        `Bad configuration:\n  ${name}: ${sentence}\nSee .env.example for what each may hold.`,
        [`${name}: ${sentence}`],
      ),
    ),
  );
});

test('metrics have a port of their own', () => {
  expect(() => readConfig({ METRICS_PORT: '8080' })).toThrow('METRICS_PORT is 8080, which is PORT, too');
  const local = readConfig({ METRICS_PORT: '8080', METRICS_HOST: '127.0.0.2' });
  expect(local.metrics).toEqual({ port: 8080, host: '127.0.0.2' });
  expect(readConfig({ PORT: '0', METRICS_PORT: '0' }).metrics?.port).toBe(0);
});

describe('MAX_STREAMS', () => {
  it('has room for many, and less for each', () => {
    expect(readConfig({}).streamLimits).toEqual({ total: 1_000, perKey: 100, perTenant: 200 });
    const env = { MAX_STREAMS: '9', MAX_STREAMS_PER_KEY: '3', MAX_STREAMS_PER_TENANT: '5' };
    expect(readConfig({ ...env, AUTH_MODE: 'required' }).streamLimits).toEqual({
      total: 9,
      perKey: 3,
      perTenant: 5,
    });
  });

  it('of a tenant means nothing without keys', () => {
    expect(() => readConfig({ MAX_STREAMS_PER_TENANT: '5' })).toThrow(
      'MAX_STREAMS_PER_TENANT needs AUTH_MODE=required',
    );
  });
});

describe('ROLE', () => {
  it.each(['api', 'worker', 'all'] as const)('may be %s, and the option wins', (role) => {
    expect(readConfig({ ROLE: role }).role).toBe(role);
    expect(readConfig({ ROLE: role }, { ROLE: undefined }).role).toBe(role);
    expect(readConfig({ ROLE: 'all' }, { ROLE: role }).role).toBe(role);
    expect(readConfig({}).role).toBe('all');
  });

  it('is none other', () => {
    expect(() => readConfig({}, { ROLE: 'both' })).toThrow('ROLE: must be api, worker or all (is "both")');
  });

  it.each(['api', 'worker'])('of the embedded database is not %s', (ROLE) => {
    const serve = (env: NodeJS.ProcessEnv) => () => assertRoleServable(readConfig(env));
    expect(serve({ ROLE })).toThrow(ConfigError);
    expect(serve({ ROLE })).toThrow(
      `ROLE is ${ROLE}, and the embedded database serves only ROLE=all: set DATABASE_URL to a PostgreSQL server that all processes share.`,
    );
    expect(serve({ ROLE, DATABASE_URL: 'postgres://db' })).not.toThrow();
    expect(serve({})).not.toThrow();
  });
});

describe('OTEL_…', () => {
  const url = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.test:4318' };

  it.each<[Record<string, string>, string[] | undefined]>([
    [{}, undefined],
    [{ OTEL_SERVICE_NAME: 'lectern', OTEL_TRACES_SAMPLER: 'always_on' }, undefined],
    [url, ['http/protobuf']],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector.test/v1/traces' }, ['http/protobuf']],
    [{ ...url, OTEL_TRACES_EXPORTER: 'none' }, undefined],
    [{ ...url, OTEL_SDK_DISABLED: 'True' }, undefined],
    [{ ...url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, ['http/json']],
    [
      { ...url, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' },
      ['http/json'],
    ],
    [{ OTEL_TRACES_EXPORTER: 'otlp, console' }, ['http/protobuf', 'console']],
  ])('%o exports by %o', (env, exporters) => {
    expect(readConfig(env).tracing?.exporters).toEqual(exporters);
    expect(readConfig(env).tracing?.objections ?? []).toEqual([]);
  });

  it('says what it does not know, and does the rest', () => {
    const { tracing } = readConfig({
      ...url,
      OTEL_TRACES_EXPORTER: 'zipkin,otlp',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_PROPAGATORS: 'b3,tracecontext',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic abc==, x-key=secret',
    });
    expect(tracing).toEqual({
      exporters: [],
      propagates: true,
      objections: [
        'OTEL_TRACES_EXPORTER is zipkin, which is not otlp, console or none, and no traces are sent there.',
        'OTEL_EXPORTER_OTLP_PROTOCOL is grpc, which is not http/protobuf or http/json, and no traces are sent there.',
        'OTEL_PROPAGATORS has b3; only tracecontext is propagated.',
      ],
      secrets: ['Basic abc==', 'secret'],
    });
    expect(readConfig({ ...url, OTEL_PROPAGATORS: 'none' }).tracing?.propagates).toBe(false);
  });
});

describe('prefixes of the embedding model', () => {
  const read = (env: NodeJS.ProcessEnv) => {
    const { queryPrefix, passagePrefix, keepsUnprefixed } = readConfig(env).embedding ?? {};
    return { queryPrefix, passagePrefix, keepsUnprefixed };
  };

  it.each([
    ['intfloat/multilingual-e5-small', {}, 'query: ', 'passage: ', true],
    ['bge-m3', {}, '', '', true],
    ['bge-m3', { EMBEDDING_QUERY_PREFIX: 'q: ' }, 'q: ', '', true],
    ['multilingual-e5-small', { EMBEDDING_PASSAGE_PREFIX: 'p: ' }, 'query: ', 'p: ', false],
    ['e5-base', { EMBEDDING_QUERY_PREFIX: 'none', EMBEDDING_PASSAGE_PREFIX: 'none' }, '', '', false],
    ['e5-base', { EMBEDDING_QUERY_PREFIX: '', EMBEDDING_PASSAGE_PREFIX: '' }, 'query: ', 'passage: ', true],
  ])('of %s with %o', (model, env, queryPrefix, passagePrefix, keepsUnprefixed) => {
    expect(read({ EMBEDDING_MODEL: model, ...env })).toEqual({ queryPrefix, passagePrefix, keepsUnprefixed });
  });
});

describe('AUTH_ISSUERS', () => {
  const ISSUER = { issuer: 'https://id.example', audience: 'lectern', tenants: ['acme'] };
  const read = (...issuers: object[]) =>
    readConfig({
      AUTH_MODE: 'required',
      AUTH_ISSUERS: JSON.stringify(issuers.length === 1 ? issuers[0] : issuers),
    }).authIssuers;
  const refusal = (...issuers: object[]) => {
    try {
      return String(read(...issuers));
    } catch (error) {
      return (error as ConfigError).lines.join('\n');
    }
  };

  it('has defaults', () => {
    expect(readConfig({}).authIssuers).toEqual([]);
    expect(read(ISSUER)).toEqual([
      {
        issuer: 'https://id.example',
        audience: ['lectern'],
        tenants: ['acme'],
        tenantClaim: 'tenant_id',
        permissionsClaim: 'scope',
        rolesClaim: 'roles',
        roles: {},
        userIdClaim: 'sub',
        nameClaim: 'name',
        emailClaim: 'email',
        newMembers: 'permitted',
        algorithms: ['RS256', 'ES256'],
        clockSkewSeconds: 30,
        mcpScopes: [],
      },
    ]);
  });

  it('has roles by their names beside permissions', () => {
    const roles = { staff: ['viewer', 'documents:write'], admins: ['admin', 'operator'], none: [] };
    expect(read({ ...ISSUER, roles })[0]?.roles).toEqual({
      staff: ['conversations:read', 'documents:read', 'documents:write', 'chunks:read', 'search'],
      admins: [...permissions],
      none: [],
    });
  });

  it('may be several, and on this machine without TLS', () => {
    const local = {
      ...ISSUER,
      issuer: 'http://[::1]:8090/realms/a',
      tenant: 'acme',
      roles: { staff: ['search'] },
    };
    expect(read(ISSUER, local).map(({ issuer }) => issuer)).toEqual([ISSUER.issuer, local.issuer]);
    expect(read({ ...ISSUER, tenants: ['*'] })[0]?.tenants).toEqual(['*']);
  });

  it.each<[object, string]>([
    [
      { issuer: 'http://id.example' },
      'issuer: must begin with https://; http:// is for loopback addresses alone',
    ],
    [{ issuer: 'https://me:pass@id.example' }, 'issuer: must have no user and password'],
    [{ issuer: 'https://id.example?a=b' }, 'issuer: must have no query or fragment'],
    [
      { jwksUri: 'file:///keys' },
      'jwksUri: must begin with https://; http:// is for loopback addresses alone',
    ],
    [{ audience: [] }, 'audience: Too small: expected array to have >=1 items'],
    [{ tenants: undefined }, 'tenants: Invalid input: expected array, received undefined'],
    [{ tenants: ['*', 'acme'] }, 'tenants: must be ["*"] or have no *'],
    [{ tenant: 'globex' }, 'tenant: must be one of tenants'],
    [{ tenant: 'acme', tenantClaim: 'org' }, 'tenantClaim: must be left out where tenant is set'],
    [{ algorithms: ['HS256'] }, 'algorithms[0]: Invalid option: expected one of "RS256"'],
    [
      { roles: { staff: ['everything'] } },
      'roles.staff[0]: must be a role (viewer, editor, reviewer, admin, operator) or a permission (conversations:read,',
    ],
    [{ newMembers: 'nobody' }, 'newMembers: Invalid option: expected one of "permitted"|"everybody"'],
    [{ clockSkewSeconds: 301 }, 'clockSkewSeconds: Too big: expected number to be <=300'],
    [{ audiences: 'lectern' }, 'Unrecognized key: "audiences"'],
    [{ audience: undefined }, 'audience: must be set, unless people sign in to the console'],
    [{ clientSecret: 'hush' }, 'clientSecret: needs clientId'],
    [{ clientId: 'console', signInScopes: ['profile'] }, 'signInScopes: must have openid'],
    [
      { clientId: 'console', signInParameters: { redirect_uri: 'https://other.example' } },
      'signInParameters: must leave out what Lectern sets',
    ],
  ])('has no place for %j', (fields, message) => {
    expect(refusal({ ...ISSUER, ...fields })).toContain(`AUTH_ISSUERS: ${message}`);
  });

  it('is as the guide has it', () => {
    const guide = readFileSync('docs/guide/how-to/sign-in-with-tokens.md', 'utf8');
    const examples = [...guide.matchAll(/AUTH_ISSUERS='([^']*)'/g)].map(([, json]) => json);
    expect(examples).toHaveLength(4);
    for (const AUTH_ISSUERS of examples)
      expect(readConfig({ AUTH_MODE: 'required', AUTH_ISSUERS }).authIssuers).toHaveLength(1);
  });

  it('can have a client for the console, and then needs PUBLIC_URL', () => {
    const CLIENT = { issuer: 'https://id.example/realms/a', clientId: 'console', tenants: ['acme'] };
    const env = { AUTH_MODE: 'required', AUTH_ISSUERS: JSON.stringify(CLIENT) };
    const [issuer] = readConfig({ ...env, PUBLIC_URL: 'https://lectern.example' }).authIssuers;
    expect(issuer).toMatchObject({ audience: [], tenantClaim: 'tenant_id' });
    expect(issuer?.signIn).toEqual({
      clientId: 'console',
      clientSecret: undefined,
      clientAuthentication: 'client_secret_basic',
      displayName: undefined,
      scopes: undefined,
      parameters: {},
    });
    expect(() => readConfig(env)).toThrow('so people sign in to the console by it');
    const twice = [CLIENT, { ...CLIENT, issuer: 'https://id.example/realms-a' }];
    expect(() =>
      readConfig({ ...env, PUBLIC_URL: 'https://lectern.example', AUTH_ISSUERS: JSON.stringify(twice) }),
    ).toThrow('have names that differ in punctuation alone');
  });

  it('is as the guide to signing in has it', () => {
    const guide = readFileSync('docs/guide/how-to/sign-in-by-provider.md', 'utf8');
    const examples = [...guide.matchAll(/AUTH_ISSUERS='([^']*)'/g)].map(([, json]) => json);
    expect(examples).toHaveLength(4);
    for (const AUTH_ISSUERS of examples) {
      const config = readConfig({
        AUTH_MODE: 'required',
        PUBLIC_URL: 'https://lectern.example',
        AUTH_ISSUERS,
      });
      for (const { redirectUri } of signInProviders(config.authIssuers, config.publicUrl))
        expect(guide).toContain(`\`${redirectUri}\``);
    }
  });

  it('names the issuer among several', () => {
    expect(refusal(ISSUER, { ...ISSUER, issuer: 'https://other.example', audience: '' })).toBe(
      'AUTH_ISSUERS: [1].audience[0]: Too small: expected string to have >=1 characters',
    );
    expect(refusal(ISSUER, ISSUER)).toBe('AUTH_ISSUERS: [1].issuer: must not be there twice');
    expect(refusal(ISSUER, { ...ISSUER, issuer: 'https://other.example', tenants: ['*'] })).toBe(
      'AUTH_ISSUERS: [1].tenants: must not be ["*"] where there are several issuers',
    );
  });

  it.each(['nonsense', '7', 'null', '"text"'])('is not %s', (AUTH_ISSUERS) =>
    expect(() => readConfig({ AUTH_MODE: 'required', AUTH_ISSUERS })).toThrow(
      'AUTH_ISSUERS: must be JSON: an object, or a list of objects',
    ),
  );

  it.each([undefined, 'open'])('needs keys, so not AUTH_MODE %s', (AUTH_MODE) =>
    expect(() => readConfig({ AUTH_MODE, AUTH_ISSUERS: JSON.stringify(ISSUER) })).toThrow(
      'AUTH_ISSUERS needs AUTH_MODE=required',
    ),
  );
});

describe('EXTRACTION_API', () => {
  const URL = 'http://ocr.test:5001';
  const limits = {
    extractionFor: ['scans'],
    languages: [],
    timeoutMs: 300_000,
    concurrency: 2,
    requestsPerMinute: undefined,
    maxFileBytes: 52_428_800,
  };

  it.each([
    [{}, { api: 'auto' }],
    [{ EXTRACTION_API: 'none' }, undefined],
    [{ EXTRACTION_API: 'none', EXTRACTION_URL: URL }, undefined],
    [{ EXTRACTION_API: 'tesseract' }, { api: 'tesseract' }],
    [
      { EXTRACTION_API: 'docling', EXTRACTION_URL: URL, EXTRACTION_API_KEY: 'k' },
      { api: 'docling', url: URL, apiKey: 'k' },
    ],
    [
      { EXTRACTION_API: 'tika', EXTRACTION_URL: URL },
      { api: 'tika', url: URL },
    ],
    [
      { EXTRACTION_API: 'http', EXTRACTION_URL: URL },
      { api: 'http', url: URL },
    ],
    [
      { EXTRACTION_API: 'openai', EXTRACTION_URL: URL, EXTRACTION_MODEL: 'm' },
      { api: 'openai', url: URL, model: 'm' },
    ],
  ])('is read of %j', (env, api) => {
    expect(readConfig(env).extraction).toEqual(api && { ...limits, ...api });
  });

  it('has limits', () => {
    const { extraction } = readConfig({
      EXTRACTION_API: 'tika',
      EXTRACTION_URL: URL,
      EXTRACTION_FOR: 'tables, pptx',
      EXTRACTION_LANGUAGES: 'en, zh-Hans,de',
      EXTRACTION_TIMEOUT_SECONDS: '20',
      EXTRACTION_CONCURRENCY: '8',
      EXTRACTION_REQUESTS_PER_MINUTE: '60',
      EXTRACTION_MAX_FILE_MB: '1',
    });
    expect(extraction).toEqual({
      api: 'tika',
      url: URL,
      apiKey: undefined,
      extractionFor: ['tables', 'pptx'],
      languages: ['en', 'zh-Hans', 'de'],
      timeoutMs: 20_000,
      concurrency: 8,
      requestsPerMinute: 60,
      maxFileBytes: 1_048_576,
    });
  });

  it.each([
    [
      { EXTRACTION_URL: URL },
      'EXTRACTION_URL is set, and EXTRACTION_API does not say what the engine speaks. Set it to docling, tika, openai or http.',
    ],
    [{ EXTRACTION_API_KEY: 'k' }, 'EXTRACTION_API_KEY is set, and EXTRACTION_API does not say'],
    [{ EXTRACTION_API: 'tesseract', EXTRACTION_URL: URL }, 'EXTRACTION_URL has no effect with'],
    [{ EXTRACTION_API: 'docling' }, 'Set it, for example to http://127.0.0.1:5001, or'],
    [{ EXTRACTION_API: 'tika' }, 'EXTRACTION_API is tika, and EXTRACTION_URL does not say where it is.'],
    [{ EXTRACTION_API: 'openai' }, 'EXTRACTION_URL does not say where it is.'],
    [{ EXTRACTION_API: 'openai', EXTRACTION_URL: URL }, 'EXTRACTION_MODEL does not name the model.'],
    [
      { EXTRACTION_API: 'tika', EXTRACTION_URL: URL, EXTRACTION_MODEL: 'm' },
      'EXTRACTION_MODEL is for EXTRACTION_API=openai, and that is tika.',
    ],
    [{ EXTRACTION_API: 'ocr' }, 'EXTRACTION_API: must be docling, tika, openai, http, tesseract or none'],
    [
      { EXTRACTION_FOR: 'scans,txt' },
      'EXTRACTION_FOR: must be scans, pictures, tables, all, or types of files',
    ],
    [{ EXTRACTION_LANGUAGES: 'en,klingon' }, 'EXTRACTION_LANGUAGES: must be languages such as en, de'],
  ])('%j is refused', (env, message) => {
    expect(() => readConfig(env)).toThrow(message);
  });
});
