/* What runs in production, the console's packages too, on any platform, as package-lock.json has it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { COPIED_PACKAGES } from './copied-packages.js';

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));

/** The places in the lock file of what runs in production. */
export function findProduction() {
  const places = new Set();
  const addDependencies = (from) => {
    const { dependencies, optionalDependencies } = packages[from];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = resolve(name, from);
      if (places.has(place)) continue;
      places.add(place);
      addDependencies(place);
    }
  };
  for (const place of Object.keys(packages)) if (!place.includes('node_modules/')) addDependencies(place);
  for (const [name, { withDependencies }] of Object.entries(COPIED_PACKAGES)) {
    // A workspace, whose dependencies are added above.
    if (packages[`node_modules/${name}`].link) continue;
    places.add(`node_modules/${name}`);
    if (withDependencies) addDependencies(`node_modules/${name}`);
  }
  return [...places]
    .filter((place) => !isEmpty(place))
    .map((place) => ({ ...packages[place], name: nameOf(place) }));
}

/** Where Node.js finds a package that one at `place` depends on. */
function resolve(name, place) {
  const nested = path.posix.join(place, 'node_modules', name);
  return nested in packages
    ? nested
    : resolve(
        name,
        place.includes('node_modules/') ? place.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '') : '',
      );
}

/** What `overrides` put in the place of something that is not needed. */
function isEmpty(place) {
  return packages[place].name === 'empty-npm-package';
}

const nameOf = (place) => place.replace(/^.*node_modules\//, '');
