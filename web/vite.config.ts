import { readFileSync } from 'node:fs';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where the development server sends what it does not serve itself. */
const SERVER = 'http://127.0.0.1:8080';
const THEME = 'src/theme.js';

/**
 * A script of its own, which runs before the page is painted, without a module's delay and without inline code, which
 * the policy forbids.
 */
function themeScript(): Plugin {
  let reference: string | undefined;
  return {
    name: 'theme-script',
    buildStart() {
      if (this.meta.watchMode) return;
      const source = readFileSync(path.join(import.meta.dirname, THEME), 'utf8');
      reference = this.emitFile({ type: 'asset', name: 'theme.js', source });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const asset = Object.values(bundle ?? {}).find(
          (file) => file.type === 'asset' && file.names.includes('theme.js'),
        );
        const src = asset && reference ? `/${asset.fileName}` : `/${THEME}`;
        return [{ tag: 'script', attrs: { src }, injectTo: 'head-prepend' }];
      },
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), themeScript()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    // Read by scripts/build-web.js, which measures what the first screen loads.
    manifest: 'manifest.json',
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      // One file of what every screen needs: several compress worse.
      output: { codeSplitting: { groups: [{ name: 'initial', tags: ['$initial'] }] } },
    },
  },
  server: {
    proxy: {
      '/trpc': SERVER,
      '/docs': SERVER,
      '/openapi.json': SERVER,
      // The status of the server, which is asked for as JSON at the address of the page.
      '^/$': {
        target: SERVER,
        bypass: (request) => (request.headers.accept?.includes('text/html') ? request.url : undefined),
      },
    },
  },
});
