import { defineConfig } from 'vite';

// One origin for page and API, in development and in the preview.
const proxy = { '/trpc': process.env.LECTERN_URL ?? 'http://127.0.0.1:8080' };

export default defineConfig({ server: { proxy }, preview: { proxy } });
