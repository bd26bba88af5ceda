/*
 * Packages that are copied into the tarball, with only the files that are used. Each but our own depends on something that nothing
 * here needs, and who installs a tarball would get it, since `overrides` count in the root project alone. They are among
 * the development dependencies.
 */
export const COPIED_PACKAGES = {
  // In no registry. What they depend on is among the dependencies of the tarball.
  '@lectern/embedded-postgres': { place: 'packages/embedded-postgres', files: ['README.md', 'dist/src'] },
  '@lectern/file-to-markdown': { place: 'packages/file-to-markdown', files: ['README.md', 'dist/src'] },
  // Without its source and four other builds, 30 MB.
  '@cantoo/pdf-lib': { files: ['es'], withDependencies: true },
  // Without typescript, its peer dependency: 31 MB.
  '@trpc/server': { files: ['dist'] },
  // Without a native canvas, 33 MB, and what only browsers use, 32 MB.
  'pdfjs-dist': {
    files: [
      'legacy/build/pdf.mjs',
      'legacy/build/pdf.worker.mjs',
      'cmaps',
      'standard_fonts',
      // Of the decoders, which the console has.
      ...['JBIG2', 'OPENJPEG', 'PDFJS_JBIG2', 'PDFJS_OPENJPEG'].map((name) => `wasm/LICENSE_${name}`),
    ],
  },
  // Without telemetry that runs at installation.
  'swagger-ui-dist': {
    files: [
      'swagger-ui-bundle.js',
      'swagger-ui-bundle.js.LICENSE.txt',
      'swagger-ui.css',
      'favicon-32x32.png',
    ],
  },
  // Without a bundler.
  'trpc-to-openapi': { files: ['dist/esm'], withDependencies: true },
};
