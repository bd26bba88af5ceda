import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CITUS, NGINX, read, SYSTEMD, TIMER } from './read-files.js';

/* The programs that read the files of a deployment are asked, where they are installed. */

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-deployment-'));
afterAll(() => rmSync(folder, { recursive: true }));

const isAvailable = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const run = (program: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
};
const accepted = { status: 0, output: expect.any(String) };

test.skipIf(!isAvailable('kubectl', 'version', '--client'))('kustomize takes the manifests', () => {
  const { status, output } = run('kubectl', 'kustomize', 'ops/kubernetes');
  expect({ status, output }).toEqual(accepted);
  expect(output).toContain(`image: lectern:${version}`);
});

test.skipIf(!isAvailable('docker', 'compose', 'version'))(
  'Compose takes compose.yaml, also with a cluster',
  () => {
    const secrets = { POSTGRES_PASSWORD: 'secret', MEILI_MASTER_KEY: 'secret' };
    cpSync('compose.yaml', path.join(folder, 'compose.yaml'));
    writeFileSync(
      path.join(folder, '.env'),
      Object.entries(secrets)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
    const files = ['compose.yaml', CITUS].map((file) => ['--file', file]);
    for (const given of [files[0]!, files.flat()]) {
      const options = ['--env-file', path.join(folder, '.env'), ...given];
      expect(run('docker', 'compose', ...options, 'config', '--quiet')).toEqual(accepted);
    }
  },
);

// The programs that units start need not be installed here.
test.skipIf(!isAvailable('systemd-analyze', '--version'))('systemd takes the units', () => {
  for (const file of SYSTEMD) {
    const unit = path.join(folder, path.basename(file));
    writeFileSync(unit, read(file).replaceAll('/usr/bin/node', process.execPath));
    expect(run('systemd-analyze', 'verify', '--man=no', unit)).toEqual({ status: 0, output: '' });
  }
  const timer = path.join(folder, path.basename(TIMER));
  cpSync(TIMER, timer);
  expect(run('systemd-analyze', 'verify', '--man=no', timer)).toEqual({ status: 0, output: '' });
});

test('commands beside the units get values as systemd reads them', () => {
  const env = path.join(folder, 'lectern.env');
  writeFileSync(
    env,
    [
      '# A comment',
      '; another one',
      '',
      'DATABASE_URL=postgres://u:p@db/lectern?application_name=a&connect_timeout=5',
      'EMBEDDING_PASSAGE_PREFIX=search document: $HOME `id`',
      'OTEL_SERVICE_NAME="of a unit"',
      "LOG_LEVEL='warn'",
      'ROLE=api',
    ].join('\n'),
  );
  const script = path.join(folder, 'lectern.sh');
  const program = 'runuser --user lectern -- /usr/bin/node /opt/lectern/node_modules/lectern/bin/lectern.js';
  const text = read('ops/systemd/lectern.sh');
  expect(text).toContain(program);
  writeFileSync(script, text.replaceAll('/etc/lectern/lectern.env', env).replace(program, 'printenv'));
  const names = ['DATABASE_URL', 'EMBEDDING_PASSAGE_PREFIX', 'OTEL_SERVICE_NAME', 'LOG_LEVEL', 'ROLE'];
  expect(names.map((name) => run('sh', script, name))).toEqual(
    [
      'postgres://u:p@db/lectern?application_name=a&connect_timeout=5',
      'search document: $HOME `id`',
      'of a unit',
      'warn',
      'api',
    ].map((value) => ({ status: 0, output: `${value}\n` })),
  );
});

test.skipIf(!isAvailable('nginx', '-v'))('nginx takes the configuration', () => {
  const tls = path.resolve('test/fixtures/tls');
  const server = read(NGINX)
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${tls}/certificate.pem;`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${tls}/key.pem;`);
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\n${server}}\n`);
  expect(run('nginx', '-t', '-c', file, '-p', folder)).toEqual(accepted);
});
