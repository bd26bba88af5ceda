import { createHash } from 'node:crypto';
import type { Readiness } from '../health/readiness.js';
import { exampleCommands } from './example-commands.js';

export interface LandingPage {
  version: string;
  needsKey: boolean;
  hasGuide: boolean;
  state: Readiness;
  /** Where the commands send their requests. */
  origin: string;
}

const STYLE = `
:root { color-scheme: light dark; --text: #1c2330; --soft: #5a6475; --line: #dfe3ea; --page: #fbfbfa; --box: #f1f3f5;
  --link: #1f5fbf; --good: #1a7f45; --bad: #b3352a; --so-so: #94670a; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e9ef; --soft: #9aa4b5; --line: #2d3542; --page: #14181f;
  --box: #1c222c; --link: #7fb0ff; --good: #57c785; --bad: #ff8b7e; --so-so: #e2b55b; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: clamp(1.5rem, 6vw, 4rem) 1.25rem; }
h1 { margin: 0; font-size: 2rem; letter-spacing: -0.02em; }
h1 small { font-size: 1rem; font-weight: 400; color: var(--soft); letter-spacing: 0; }
h2 { margin: 2.5rem 0 0.5rem; font-size: 1.1rem; }
p { margin: 0.5rem 0; }
a { color: var(--link); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1.5rem; margin: 1.75rem 0 0;
  padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 0.6rem; }
dt { color: var(--soft); }
dd { margin: 0; }
.good { color: var(--good); } .bad { color: var(--bad); } .so-so { color: var(--so-so); }
ul { padding-left: 1.2rem; }
pre { margin: 0.5rem 0 1rem; padding: 0.85rem 1rem; overflow-x: auto; background: var(--box); border-radius: 0.5rem;
  font: 0.85rem/1.55 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

/** No scripts, and no styles but these. */
export const LANDING_PAGE_CSP = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src 'self'; frame-ancestors 'none'`;

const STATES = {
  database: {
    ok: ['good', 'serving'],
    read_only: ['so-so', 'read-only; nothing can be changed'],
    unavailable: ['bad', 'not serving; the log says why'],
  },
  search: {
    ok: ['good', 'serving'],
    degraded: ['so-so', 'not serving as it should; lectern search status says why'],
    unknown: ['so-so', 'unknown without the database'],
  },
};

const stateOf = ([kind, words]: string[]) => `<dd class="${kind}">${words}</dd>`;

/** The page that a person finds at the printed address. */
export function renderLandingPage({ version, needsKey, hasGuide, state, origin }: LandingPage): string {
  const commands = exampleCommands(origin, needsKey).map(
    ({ what, command }) => `
    <p>${what}</p>
    <pre><code>${escapeHtml(command)}</code></pre>`,
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Lectern</title>
    <link rel="icon" href="/docs/favicon-32x32.png">
    <style>${STYLE}</style>
  </head>
  <body>
  <main>
    <h1>Lectern <small>${escapeHtml(version)}</small></h1>
    <p>The administration gateway for the conversations and knowledge documents of AI agents. This is its server; programs call it. Its console is not built; <code>npm run build</code> builds it.</p>
    <dl>
      <dt>Database</dt>${stateOf(STATES.database[state.database])}
      <dt>Search</dt>${stateOf(STATES.search[state.search])}
      <dt>Access</dt><dd>${needsKey ? 'with an API key' : 'open, without a key'}</dd>
    </dl>
    <h2>Where to go</h2>
    <ul>${hasGuide ? '\n      <li><a href="/docs/guide/">Guide</a>: a tutorial, how-to guides, reference and explanation</li>' : ''}
      <li><a href="/docs">API reference</a>, with a form to call each operation</li>
      <li><a href="/openapi.json">openapi.json</a>, the same for programs</li>
      <li><a href="/readyz">readyz</a> and <a href="/healthz">healthz</a>, for probes</li>
    </ul>
    <h2>Try it</h2>
    ${needsKey ? '<p>With a key of the tenant <code>acme</code> in <code>LECTERN_KEY</code>; operators make one with <code>lectern keys</code>.</p>' : ''}${commands.join('')}
  </main>
  </body>
</html>
`;
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
