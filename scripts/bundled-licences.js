/* The licences of packages whose code is in a bundle: each asks for its text to be beside copies. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const PACKAGE = /^(?<folder>.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/;

/** @param moduleIds files that are in the bundle */
export function describeLicences(moduleIds) {
  const folders = new Set(moduleIds.flatMap((id) => PACKAGE.exec(id)?.groups.folder ?? []));
  const sections = [...folders]
    .filter((folder) => existsSync(path.join(folder, 'package.json')))
    .map(describe);
  return `# Licenses of the packages in this bundle\n\n${[...new Set(sections)].sort().join('\n')}`;
}

function describe(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((name) => /^(licen[sc]e|copying)/i.test(name));
  const text = file ? `\n${readFileSync(path.join(folder, file), 'utf8').trim()}\n` : '';
  return `## ${name} ${version}, ${license}\n${text}`;
}
