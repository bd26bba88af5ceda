import { createRequire } from 'node:module';
import path from 'node:path';
import { Router } from 'express';

const swaggerUi = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
/** What the page loads of it; the package has more. */
const FILES = ['favicon-32x32.png', 'swagger-ui.css', 'swagger-ui-bundle.js'];

const GUIDE =
  '<p style="margin: 1rem auto; max-width: 1420px; padding: 0 20px"><a href="/docs/guide/">Guide</a></p>\n    ';
const renderPage = (hasGuide: boolean) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Lectern API reference</title>
    <link rel="icon" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    ${hasGuide ? GUIDE : ''}<div id="reference"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;
const START = `SwaggerUIBundle({
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
