import { createRequire } from 'node:module';
import path from 'node:path';
import { Router } from 'express';

const swaggerUi = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
/** What the page loads of it; the package has more. */
const FILES = ['favicon-32x32.png', 'swagger-ui.css', 'swagger-ui-bundle.js'];

/** The bar of the guide, and its looks. Where there is no guide, there are none. */
const ASSETS = '/docs/guide/assets';
const HEAD = `<link rel="icon" type="image/svg+xml" href="${ASSETS}/icon.svg">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="stylesheet" href="${ASSETS}/reference.css">
    <script src="${ASSETS}/theme.js"></script>`;
const PLAIN_HEAD = `<link rel="icon" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">`;
const BAR = `<header class="top">
      <a class="brand" href="/docs"><img src="${ASSETS}/icon.svg" alt="" width="24" height="24">Lectern <small>API reference</small></a>
      <nav class="links" aria-label="Lectern"><a href="/">Console</a><a href="/docs/guide/">Guide</a></nav>
    </header>
    `;
const renderPage = (hasGuide: boolean) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Lectern API reference</title>
    ${hasGuide ? HEAD : PLAIN_HEAD}
  </head>
  <body>
    ${hasGuide ? BAR : ''}<div id="reference"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;
/** Swagger UI is dark by a class: where that was chosen in the console, else where the system is. */
const START = `const root = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');
const setTheme = () => {
  const theme = root.dataset.theme ?? (system.matches ? 'dark' : 'light');
  root.classList.toggle('dark-mode', theme === 'dark');
};
setTheme();
system.addEventListener('change', setTheme);
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  tryItOutEnabled: true,
});
`;
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

/**
 * `GET /openapi.json`, and `GET /docs`: Swagger UI.
 *
 * @param document OpenAPI, as JSON
 * @param hasGuide whether there is a guide to lead to
 */
export function serveApiReference(document: Buffer, hasGuide: boolean): Router {
  const routes = Router();
  const page = renderPage(hasGuide);
  routes.get('/openapi.json', (_req, res) => {
    res.type('json').send(document);
  });
  routes.get('/docs', (_req, res) => {
    res.set('Content-Security-Policy', POLICY).type('html').send(page);
  });
  routes.get('/docs/start.js', (_req, res) => {
    res.type('js').send(START);
  });
  for (const file of FILES) {
    routes.get(`/docs/${file}`, (_req, res) => res.sendFile(file, { root: swaggerUi }));
  }
  return routes;
}
