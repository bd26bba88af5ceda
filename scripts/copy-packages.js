/* Copies packages into dist/node_modules of the package that is made in the folder of the argument; dist finds them there. */
import { cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { COPIED_PACKAGES } from './copied-packages.js';

const ALWAYS = ['package.json', 'LICENSE', 'LICENSE.md', 'NOTICE'];
const TARGET = path.resolve(process.argv[2], 'dist/node_modules');

process.chdir(path.join(import.meta.dirname, '..'));

for (const [name, copied] of Object.entries(COPIED_PACKAGES)) {
  const { place = path.join('node_modules', name), files, withDependencies } = copied;
  for (const file of [...ALWAYS, ...files]) {
    const from = path.join(place, file);
    if (existsSync(from))
      cpSync(from, path.join(TARGET, name, file), {
        recursive: true,
        filter: (name) => !name.endsWith('.js.map'),
      });
  }
  if (withDependencies) copyDependencies(name);
}

/** What a package depends on, except optionally, and what that does. */
function copyDependencies(name) {
  const manifest = JSON.parse(readFileSync(path.join('node_modules', name, 'package.json'), 'utf8'));
  for (const dependency of Object.keys(manifest.dependencies ?? {})) {
    const to = path.join(TARGET, dependency);
    if (existsSync(to)) continue;
    cpSync(path.join('node_modules', dependency), to, { recursive: true });
    copyDependencies(dependency);
  }
}
