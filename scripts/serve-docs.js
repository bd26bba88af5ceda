/* Serves the guide, builds it again when a page or the site changes, and then reloads open pages. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, watch } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

process.chdir(path.join(import.meta.dirname, '..'));
const ROOT = '/docs/guide/';
const RELOAD = `new EventSource('${ROOT}changes').addEventListener('message', () => location.reload());`;
const open = new Set();
build();
for (const folder of ['docs/guide', 'scripts/docs']) watch(folder, { recursive: true }, buildSoon);

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const name = decodeURIComponent(pathname.slice(ROOT.length)).replace(/(^|\/)$/, '$1index.html');
  const { files } = JSON.parse(readFileSync('dist/docs/files.json', 'utf8'));
  if (!pathname.startsWith(ROOT)) {
    response.writeHead(302, { Location: ROOT }).end();
  } else if (name === 'changes') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    open.add(response);
    response.on('close', () => open.delete(response));
  } else {
    const found = files[name] ? name : '404.html';
    const content = readFileSync(`dist/docs/${found}`);
    response.writeHead(found === name ? 200 : 404, { 'Content-Type': files[found].type });
    response.end(found.endsWith('.html') ? `${content}<script>${RELOAD}</script>` : content);
  }
});
server.listen(Number(process.env.PORT ?? 8090), '127.0.0.1', () => {
  process.stdout.write(`The guide is at http://127.0.0.1:${server.address().port}${ROOT}\n`);
});

let timer;
/** An editor writes a file in several steps. */
function buildSoon() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    build();
    for (const response of open) response.write('data: changed\n\n');
  }, 100);
}

/** A mistake in a page is printed, and the former pages are served. */
function build() {
  const { status } = spawnSync(process.execPath, ['scripts/build-docs.js'], { stdio: 'inherit' });
  if (status !== 0 && !existsSync('dist/docs/files.json')) process.exit(1);
}
