import { readdirSync, readFileSync } from 'node:fs';
import { parse, parseAllDocuments } from 'yaml';

const KUBERNETES = 'ops/kubernetes';
export const BACKUP = 'ops/systemd/lectern-backup.service';
export const SYSTEMD = ['ops/systemd/lectern.service', 'ops/systemd/lectern-worker.service', BACKUP];
export const TIMER = 'ops/systemd/lectern-backup.timer';
/** Settings of both. */
export const SYSTEMD_SETTINGS = 'ops/systemd/lectern.env';
export const NGINX = 'ops/nginx/lectern.conf';

/** Replaces the database of compose.yaml. */
export const CITUS = 'ops/citus/compose.yaml';

const names = readdirSync(KUBERNETES).map((name) => `${KUBERNETES}/${name}`);
/** All files that a deployment is made of. */
export const FILES = [
  'Dockerfile',
  'compose.yaml',
  CITUS,
  NGINX,
  SYSTEMD_SETTINGS,
  ...SYSTEMD,
  TIMER,
  'ops/systemd/lectern.sh',
  ...names,
  'ops/docker/build.sh',
];

export const read = (file: string) => readFileSync(file, 'utf8');

/** `NAME=value` of lines. */
export const readVariables = (text: string): Record<string, string> =>
  Object.fromEntries(Array.from(text.matchAll(/^([A-Z]\w*)=(.*)$/gm), ([, name, value]) => [name, value]));

export function readDockerfile() {
  const lines = read('Dockerfile')
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '');
  /** What follows an instruction, in the order of the file. */
  const all = (instruction: string) =>
    Array.from(lines.matchAll(new RegExp(`^${instruction} (.+)$`, 'gm')), ([, rest]) => rest ?? '');
  const variables = (text = '') =>
    Object.fromEntries(Array.from(text.matchAll(/(\w+)=(\S+)/g), ([, name, value]) => [name, value]));
  const [, healthCheck = '[]'] = /^HEALTHCHECK .*CMD (\[.+\])$/m.exec(lines) ?? [];
  return {
    copies: all('COPY').map((rest) => rest.split(' ')),
    runs: all('RUN').map((rest) => rest.replace(/^(--\S+ )+/, '')),
    env: variables(all('ENV')[0]),
    ports: all('EXPOSE').flatMap((rest) => rest.split(' ').map(Number)),
    user: all('USER').at(-1) ?? '',
    healthCheck: JSON.parse(healthCheck) as string[],
    entrypoint: JSON.parse(all('ENTRYPOINT')[0] ?? '[]') as string[],
  };
}

/** The names that .dockerignore lets into an image, and patterns of what it leaves out of them. */
export function readDockerignore(): { included: string[]; excluded: string[] } {
  const lines = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const included = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  return { included, excluded: lines.filter((line) => !line.startsWith('!')) };
}

export const readCompose = (file = 'compose.yaml') => parse(read(file), { merge: true });

/** The objects of all manifests, and the settings that they share. */
export function readManifests() {
  const objects = names
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => parseAllDocuments(read(name)).map((document) => document.toJS()));
  const ofKind = (kind: string) => objects.filter((object) => object.kind === kind);
  const find = (kind: string, name: string) =>
    ofKind(kind).find(({ metadata }) => metadata.name === name) ?? {};
  return { objects, ofKind, find, config: readVariables(read(`${KUBERNETES}/config.env`)) };
}

/** Settings of a systemd unit, the last of each. */
export const readUnit = (file: string): Record<string, string> =>
  Object.fromEntries(
    Array.from(read(file).matchAll(/^([A-Z]\w+)=(.*)$/gm), ([, name, value]) => [name, value]),
  );
