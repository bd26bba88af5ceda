import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { describe, expect, test } from 'vitest';
import {
  assertAuthModeSet,
  assertRoleServable,
  type Config,
  readConfig,
} from '../../../src/config/config.js';
import { serveHealth } from '../../../src/http/health/health.js';
import {
  PREVIEW_CONCURRENCY,
  PREVIEW_SANDBOX_LIMITS,
} from '../../../src/ingestion/preview/preview-limits.js';
import { EXTRA_CHILDREN } from '../../../src/ingestion/sandbox/sandbox.js';
import {
  SITEMAP_CONCURRENCY,
  SITEMAP_SANDBOX_LIMITS,
} from '../../../src/ingestion/sitemap/sandbox-limits.js';
import {
  BACKUP,
  CITUS,
  FILES,
  NGINX,
  read,
  readCompose,
  readDockerfile,
  readDockerignore,
  readManifests,
  readUnit,
  readVariables,
  SYSTEMD,
  SYSTEMD_SETTINGS,
} from './read-files.js';

const MIB = 2 ** 20;
/** What a server takes besides its parsers. */
const SERVER_MIB = 768;
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const dockerfile = readDockerfile();
const compose = readCompose();
const cluster = readCompose(CITUS);
const manifests = readManifests();
const { config } = manifests;

const ownServices = ['migrate', 'api', 'worker'];
const deployments = manifests.ofKind('Deployment');
const cronJobs = manifests.ofKind('CronJob');
const jobs = [...manifests.ofKind('Job'), ...cronJobs.map(({ spec }) => spec.jobTemplate)];
const podSpecs = [...deployments, ...jobs].map(({ spec }) => spec.template.spec);
const documented = new Set(
  Array.from(read('.env.example').matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm), ([, name]) => name),
);
/** Of other programs: PostgreSQL, psql, Meilisearch, Node.js, npm, systemd. */
const FOREIGN =
  /^(POSTGRES_\w+|ON_ERROR_STOP|MEILI_(MASTER_KEY|ENV|NO_ANALYTICS|MAX_INDEXING_MEMORY)|NODE_ENV|NPM_CONFIG_REGISTRY|AF_\w+)$/;

/** @throws where a process with these settings would not serve */
function assertServes(env: Record<string, string>, role?: string): Config {
  const settings = readConfig(env, { ROLE: role });
  assertAuthModeSet(settings);
  assertRoleServable(settings);
  return settings;
}

describe('variables', () => {
  test.each(FILES)('%s names only those of .env.example', (file) => {
    const named = read(file).match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? [];
    expect(named.filter((name) => !documented.has(name) && !FOREIGN.test(name))).toEqual([]);
  });

  test('settings are those of .env.example', () => {
    const names = [
      ...ownServices.flatMap((name) => Object.keys(compose.services[name].environment)),
      ...Object.keys(config),
      ...Object.keys(manifests.find('Secret', 'lectern').stringData),
      ...Object.keys(dockerfile.env),
      ...Object.keys(readVariables(read(SYSTEMD_SETTINGS))),
      ...SYSTEMD.flatMap((file) => Array.from(read(file).matchAll(/[ =]([A-Z_]+)=/g), ([, name]) => name)),
    ];
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !documented.has(name) && name !== 'NODE_ENV')).toEqual([]);
  });

  test('processes serve with them, and clients need keys', () => {
    const inCompose = (name: string) => {
      const entries = Object.entries(compose.services[name].environment);
      const resolved = entries.map(([key, value]) => [
        key,
        String(value).replace(/\$\{\w+:[?-]([^}]*)\}/g, (_, word) => (/^\d+$/.test(word) ? word : 'secret')),
      ]);
      return assertServes({ ...dockerfile.env, ...Object.fromEntries(resolved) });
    };
    const inPods = { ...dockerfile.env, ...config, ...manifests.find('Secret', 'lectern').stringData };
    const keyed = { authMode: 'required', port: 8080 };
    const inServices = [inCompose('api'), inCompose('worker')];
    for (const settings of inServices)
      expect(settings).toMatchObject({ ...keyed, dataDir: '/var/lib/lectern' });
    for (const { spec } of deployments) {
      const settings = assertServes(inPods, spec.template.spec.containers[0].args[2]);
      // The volume itself is open to all of the pod.
      expect(settings).toMatchObject({ ...keyed, dataDir: '/var/lib/lectern/data' });
    }
    expect(inCompose('api').trustProxy).toBe(1);
    const inUnits = assertServes(readVariables(read(SYSTEMD_SETTINGS)));
    expect(inUnits).toMatchObject({
      authMode: 'required',
      trustProxy: 1,
      role: 'api',
      dataDir: readUnit('ops/systemd/lectern.service').WorkingDirectory,
    });
  });
});

test('nobody else can read the data', () => {
  expect(read('Dockerfile')).toContain('--mode=0700 /var/lib/lectern');
  for (const name of ['lectern', 'lectern-worker', 'lectern-backup'])
    expect(readUnit(`ops/systemd/${name}.service`)).toMatchObject({
      StateDirectoryMode: '0700',
      UMask: '0077',
    });
});

test('ports agree', () => {
  const ports = [Number(config.PORT), Number(config.METRICS_PORT)];
  expect(dockerfile.ports).toEqual(ports);
  for (const name of ['api', 'worker']) {
    const { environment, ports: published } = compose.services[name];
    expect([environment.PORT, environment.METRICS_PORT]).toEqual(ports);
    for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:[\d-]+:(8080|9464)$/);
  }
  for (const { spec } of deployments) {
    const [container] = spec.template.spec.containers;
    expect(container.ports).toEqual([
      { name: 'http', containerPort: ports[0] },
      { name: 'metrics', containerPort: ports[1] },
    ]);
    expect(spec.template.metadata.annotations).toMatchObject({ 'prometheus.io/port': config.METRICS_PORT });
  }
  expect(manifests.find('Service', 'lectern').spec.ports[0].targetPort).toBe('http');
  const policies = manifests.ofKind('NetworkPolicy');
  expect(policies.map(({ spec }) => spec.ingress[0].ports[0].port)).toEqual(['http', 'metrics']);
  expect(read(NGINX)).toContain(`server 127.0.0.1:${ports[0]};`);
});

test('what probes ask for is served', async () => {
  const probes = deployments.flatMap(({ spec }) => {
    const [{ startupProbe, livenessProbe, readinessProbe }] = spec.template.spec.containers;
    return [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet);
  });
  expect(probes.map(({ port }) => port)).toEqual(Array(6).fill('http'));
  const readiness = async () => ({ database: 'ok', search: 'ok' }) as const;
  const server = createServer(
    express().use(serveHealth(readiness, { version: '1.2.3', stopping: new AbortController().signal })),
  ).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const { path } of probes) expect((await fetch(address + path)).status).toBe(200);
  await new Promise((resolve) => server.close(resolve));
  expect(dockerfile.healthCheck.join(' ')).toContain('/healthz');
});

test('whoever stops the server waits for longer than it may take', () => {
  const deadlineOf = (env: Record<string, string>) => readConfig(env).shutdown.timeoutMs / 1000;
  const inPods = readConfig(config).shutdown;
  // Nodes learn after a while only that a pod is going.
  expect(inPods.delayMs).toBeGreaterThan(0);
  for (const { spec } of deployments)
    expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(inPods.timeoutMs / 1000);
  for (const name of ownServices)
    expect(Number.parseInt(compose.services[name].stop_grace_period, 10)).toBeGreaterThan(deadlineOf({}));
  const inUnits = deadlineOf(readVariables(read(SYSTEMD_SETTINGS)));
  for (const file of SYSTEMD) expect(Number(readUnit(file).TimeoutStopSec)).toBeGreaterThan(inUnits);
});

test('pods have the memory that their parsers may take', () => {
  const limitOf = (name: string) => {
    const { memory } = manifests.find('Deployment', name).spec.template.spec.containers[0].resources.limits;
    return Number.parseInt(memory, 10) * (memory.endsWith('Gi') ? 1024 : 1);
  };
  const parser = Number(config.INGEST_MEMORY_MB);
  const parsers = Number(config.INGEST_CONCURRENCY) + EXTRA_CHILDREN;
  expect(limitOf('lectern-worker')).toBeGreaterThanOrEqual(SERVER_MIB + parsers * parser);
  const previews = ((PREVIEW_CONCURRENCY + 1) * PREVIEW_SANDBOX_LIMITS.memoryBytes) / MIB;
  const sitemaps = ((SITEMAP_CONCURRENCY + 1) * SITEMAP_SANDBOX_LIMITS.memoryBytes) / MIB;
  expect(limitOf('lectern-api')).toBeGreaterThanOrEqual(SERVER_MIB + parser + previews + sitemaps);
});

test('processes have no rights that they do not need', () => {
  for (const { securityContext, containers, ...pod } of podSpecs) {
    expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(`${securityContext.runAsUser}:${securityContext.runAsGroup}`).toBe(dockerfile.user);
    expect(containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  }
  for (const name of ownServices)
    expect(compose.services[name]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  for (const file of SYSTEMD)
    expect(readUnit(file)).toMatchObject({
      User: 'lectern',
      ProtectSystem: 'strict',
      NoNewPrivileges: 'yes',
      CapabilityBoundingSet: '',
    });
});

test('backups go into folders that may be written to', () => {
  const [pod] = cronJobs.map(({ spec }) => spec.jobTemplate.spec.template.spec.containers[0]);
  const [{ mountPath }] = pod.volumeMounts;
  expect(pod.args).toEqual(['backup', '--into', mountPath, '--keep', '14']);
  const { ExecStart = '', ReadWritePaths } = readUnit(BACKUP);
  expect(ExecStart.split('lectern.js ')[1]).toBe(`backup --into ${ReadWritePaths} --keep 14`);
});

test('objects refer to what there is', () => {
  const image = `lectern:${version}`;
  for (const name of ownServices) expect(compose.services[name].image).toBe(image);
  const kustomization = manifests.ofKind('Kustomization')[0];
  expect(kustomization.images).toEqual([{ name: 'lectern', newTag: version }]);
  expect(FILES).toEqual(
    expect.arrayContaining(kustomization.resources.map((name: string) => `ops/kubernetes/${name}`)),
  );
  for (const { containers } of podSpecs) {
    expect(containers[0]).toMatchObject({
      image: 'lectern',
      envFrom: [{ configMapRef: { name: 'lectern' } }, { secretRef: { name: 'lectern' } }],
    });
  }
  const labels = deployments.map(({ spec }) => spec.template.metadata.labels);
  const selectors = [
    manifests.find('Service', 'lectern').spec.selector,
    ...manifests.ofKind('PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels),
    ...manifests.ofKind('NetworkPolicy').map(({ spec }) => spec.podSelector.matchLabels),
  ];
  for (const selector of selectors) expect(labels).toContainEqual(expect.objectContaining(selector));
  expect(manifests.find('HorizontalPodAutoscaler', 'lectern-api').spec.scaleTargetRef.name).toBe(
    'lectern-api',
  );
  expect(manifests.objects.filter(({ metadata }) => metadata?.namespace)).toEqual([]);

  for (const { depends_on: needed = {}, volumes } of Object.values<any>(compose.services)) {
    for (const volume of volumes) expect(compose.volumes).toHaveProperty(volume.split(':')[0]);
    for (const [name, { condition }] of Object.entries<any>(needed))
      if (condition === 'service_healthy') expect(compose.services[name].healthcheck.test).toBeDefined();
      else expect([name, condition]).toEqual(['migrate', 'service_completed_successfully']);
  }
});

test('the cluster of Compose has the settings of the guide, and replaces the database alone', () => {
  const [, settings = ''] =
    /<<END\n([\s\S]*?)\n *END/.exec(read('docs/guide/how-to/run-on-citus.md').replace(/^ +/gm, '')) ?? [];
  const expected = Array.from(
    settings.matchAll(/^(\w+) = (\w+)$/gm),
    ([, name, value]) => `${name}=${value}`,
  );
  expect(expected).toContain('wal_level=logical');
  const nodes = Object.keys(cluster.volumes).map((name) => (name === 'coordinator' ? 'postgres' : name));
  for (const node of nodes) {
    const { command, environment, volumes } = cluster.services[node];
    expect(command.filter((word: string) => word.includes('='))).toEqual(expected);
    expect(environment).toMatchObject(compose.services.postgres.environment);
    // The place of the volume that it replaces.
    expect(volumes).toEqual([`${node === 'postgres' ? 'coordinator' : node}:/var/lib/postgresql`]);
    expect(environment.PGDATA).toMatch(/^\/var\/lib\/postgresql\/(?!data$)\w+$/);
    expect(cluster.services['register-nodes'].command.join()).toContain(`('${node}'`);
  }
  const all = { ...compose.services, ...cluster.services };
  for (const name of ownServices) expect(Object.keys(cluster.services[name])).toEqual(['depends_on']);
  for (const { depends_on: needed = {} } of Object.values<any>(cluster.services))
    for (const [name, { condition }] of Object.entries<any>(needed))
      expect([name, condition]).toEqual([
        name,
        all[name].healthcheck?.test || nodes.includes(name)
          ? 'service_healthy'
          : 'service_completed_successfully',
      ]);
});

test('what the image is built from reaches the builder', () => {
  const { included, excluded } = readDockerignore();
  const sources = dockerfile.copies
    .filter(([first]) => !first?.startsWith('--'))
    .flatMap((parts) => parts.slice(0, -1));
  expect(sources.length).toBeGreaterThan(3);
  const reaches = (source: string) => source === '.' || included.includes(source.split('/')[0] ?? '');
  expect(sources.filter((source) => !reaches(source))).toEqual([]);
  const besideSources = ['packages/*/bench', 'packages/*/dist', 'packages/*/test', 'web/node_modules'];
  expect(excluded).toEqual(['*', ...besideSources, '**/*.test.ts']);
  expect(included.filter((name) => /^\.env$|\.key$|^data/.test(name))).toEqual([]);
});

test('the proxy takes the largest upload, and buffers nothing', () => {
  const text = read(NGINX);
  const bytes = Number(/client_max_body_size (\d+)m;/.exec(text)?.[1]) * MIB;
  const { maxUploadBytes } = readConfig({});
  expect([bytes > maxUploadBytes, bytes <= maxUploadBytes + MIB]).toEqual([true, true]);
  expect(text).toMatch(/proxy_buffering off;[^}]*proxy_request_buffering off;/);
});
