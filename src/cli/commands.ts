interface Command {
  /** What it does, as it ends the line "lectern <name>". */
  summary: string;
  /** Loads what it needs, which for most is little of the server. */
  load(): Promise<{ run(args: string[]): Promise<void> }>;
}

/** Every command of the program, by its name. */
export const commands = new Map<string, Command>([
  ['serve', { summary: 'serves REST, tRPC and the API reference', load: () => import('./serve.js') }],
  [
    'migrate',
    {
      summary: 'applies the database migrations that are missing',
      load: () => import('./migrate.js'),
    },
  ],
  [
    'demo',
    {
      summary: 'shows the console with examples, and leaves nothing behind',
      load: () => import('./demo/demo.js'),
    },
  ],
  [
    'doctor',
    {
      summary: 'checks what a server needs, and says what to do',
      load: () => import('./doctor/doctor.js'),
    },
  ],
  [
    'backup',
    {
      summary: 'writes the database and the uploaded files into a folder',
      load: () => import('./backup/create.js'),
    },
  ],
  [
    'backup verify',
    { summary: 'compares a backup with its hashes', load: () => import('./backup/verify.js') },
  ],
  [
    'restore',
    {
      summary: 'restores a backup into an empty database',
      load: () => import('./backup/restore.js'),
    },
  ],
  ['read', { summary: 'prints a file as Markdown', load: () => import('./read.js') }],
  ['seed', { summary: 'fills the demonstration tenant', load: () => import('./seed/seed.js') }],
  [
    'keys create',
    { summary: 'creates an API key, and shows it once', load: () => import('./keys/create.js') },
  ],
  [
    'keys list',
    {
      summary: 'lists the keys, and when each was last used',
      load: () => import('./keys/list.js'),
    },
  ],
  [
    'keys rotate',
    {
      summary: 'replaces a key',
      load: () => import('./keys/rotate.js'),
    },
  ],
  ['keys revoke', { summary: 'revokes a key at once', load: () => import('./keys/revoke.js') }],
  [
    'auth explain',
    {
      summary: 'says why a token is refused, or what it permits',
      load: () => import('./auth/explain.js'),
    },
  ],
  [
    'tenant export',
    {
      summary: 'writes everything of a tenant into a folder',
      load: () => import('./tenant/export.js'),
    },
  ],
  [
    'tenant delete',
    {
      summary: 'deletes everything of a tenant',
      load: () => import('./tenant/delete.js'),
    },
  ],
  [
    'conversations export',
    {
      summary: 'writes conversations of a server as NDJSON, CSV, Markdown or HTML',
      load: () => import('./conversations/export.js'),
    },
  ],
  [
    'conversations import',
    {
      summary: 'stores conversations of an export on a server',
      load: () => import('./conversations/import.js'),
    },
  ],
  [
    'audit archive',
    {
      summary: 'writes old months of the audit log into a folder, and drops them',
      load: () => import('./audit/archive.js'),
    },
  ],
  [
    'search status',
    {
      summary: 'shows the health of the search and the lag of the index',
      load: () => import('./search/status.js'),
    },
  ],
  [
    'search settings',
    {
      summary: 'compares the settings of the index, or changes them',
      load: () => import('./search/settings.js'),
    },
  ],
  [
    'search reindex',
    {
      summary: 'rebuilds the index beside the live one',
      load: () => import('./search/reindex.js'),
    },
  ],
  [
    'search verify',
    { summary: 'compares every chunk with the index', load: () => import('./search/verify.js') },
  ],
  ['search tasks', { summary: "lists the search server's tasks", load: () => import('./search/tasks.js') }],
  [
    'search query',
    {
      summary: 'searches, and explains why a chunk is found or not',
      load: () => import('./search/query.js'),
    },
  ],
  [
    'search synonyms',
    {
      summary: 'lists, exports or imports the synonyms of a tenant',
      load: () => import('./search/synonyms.js'),
    },
  ],
  [
    'search embed',
    {
      summary: 'shows how far texts are embedded, or embeds them again',
      load: () => import('./search/embed.js'),
    },
  ],
  [
    'search keys',
    {
      summary: 'creates and shows the key that the server needs',
      load: () => import('./search/keys.js'),
    },
  ],
  ['mcp', { summary: 'lets a desktop client use a server over MCP', load: () => import('./mcp/mcp.js') }],
  [
    'eval',
    {
      summary: 'evaluates search quality on a test collection',
      load: () => import('./eval/eval.js'),
    },
  ],
]);

/** Commands of one subject, `lectern <group> <command>`. */
export interface Group {
  name: string;
  summary: string;
  details: string;
}

export const groups: Group[] = [
  {
    name: 'keys',
    summary: 'Manages the API keys that callers need if AUTH_MODE=required.',
    details:
      'Uses the database of DATABASE_URL, or the embedded one in DATA_DIR; a server may be running on it.',
  },
  {
    name: 'auth',
    summary: 'Explains tokens of OpenID Connect providers.',
    details: 'Reads AUTH_ISSUERS, and asks the issuer for its keys. Needs no database and no server.',
  },
  {
    name: 'tenant',
    summary: 'Exports or deletes everything of a tenant.',
    details:
      'Both exit with 0, 1 (failed) or 2 (usage error). They use the database and the file storage that the environment names; servers may be running.',
  },
  {
    name: 'conversations',
    summary: 'Exports and imports conversations with their messages.',
    details:
      'Both call a server, with the API key in LECTERN_KEY. They exit with 0, 1 (failed) or 2 (usage error).',
  },
  {
    name: 'audit',
    summary: 'Archives the audit log.',
    details:
      'Exits with 0, 1 (failed) or 2 (usage error). Uses the database of DATABASE_URL, or the embedded one in DATA_DIR; servers may be running.',
  },
  {
    name: 'search',
    summary: 'Operates the search: the index on the search server of MEILI_URL, and embeddings.',
    details:
      'All take --json, and exit with 0, 1 (failed, or a difference found) or 2 (usage error). A server may be running.',
  },
];
