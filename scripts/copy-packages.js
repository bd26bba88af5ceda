/*
 * For the tarball: copies packages into dist/node_modules, where dist finds them. Each depends on something that nothing
 * here needs, and who installs a tarball would get it, since `overrides` count in the root project alone.
 */
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const WITH_ALL = ['package.json', 'LICENSE', 'LICENSE.md', 'NOTICE'];
const TARGET = 'dist/node_modules';

process.chdir(path.join(import.meta.dirname, '..'));
rmSync(TARGET, { recursive: true, force: true });

// Without typescript, its peer dependency: 31 MB.
copy('@trpc/server', ['dist']);
// Without a native canvas, 33 MB, and what only browsers use, 32 MB.
copy('pdfjs-dist', ['legacy/build/pdf.mjs', 'legacy/build/pdf.worker.mjs', 'cmaps', 'standard_fonts']);
// Without telemetry that runs at installation.
copy('swagger-ui-dist', [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'favicon-32x32.png',
]);
// Without a bundler.
copy('trpc-to-openapi', ['dist/esm']);
copyDependencies('trpc-to-openapi');

function copy(name, files) {
  for (const file of [...WITH_ALL, ...files]) {
    const from = path.join('node_modules', name, file);
    if (existsSync(from)) cpSync(from, path.join(TARGET, name, file), { recursive: true });
  }
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
