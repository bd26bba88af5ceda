import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { NGINX, read, SYSTEMD, TIMER } from './read-files.js';

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

test.skipIf(!isAvailable('docker', 'compose', 'version'))('Compose takes compose.yaml', () => {
  const secrets = { POSTGRES_PASSWORD: 'secret', MEILI_MASTER_KEY: 'secret' };
  cpSync('compose.yaml', path.join(folder, 'compose.yaml'));
  writeFileSync(
    path.join(folder, '.env'),
    Object.entries(secrets)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  expect(run('docker', 'compose', '--project-directory', folder, 'config', '--quiet')).toEqual(accepted);
});

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

test.skipIf(!isAvailable('nginx', '-v'))('nginx takes the configuration', () => {
  const tls = path.resolve('test/fixtures/tls');
  const server = read(NGINX)
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${tls}/certificate.pem;`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${tls}/key.pem;`);
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\n${server}}\n`);
  expect(run('nginx', '-t', '-c', file, '-p', folder)).toEqual(accepted);
});
