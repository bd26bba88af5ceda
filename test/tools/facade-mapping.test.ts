import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listEndpoints } from '../../src/rest-facade/find-endpoints.js';
import { restRouter } from '../../src/rest-facade/index.js';

/* REST documents a field only where it is mapped from or to the domain, and has no defaults of its own. */

const FACADE = 'src/rest-facade';
/** Which area the endpoints of a file belong to. */
const AREAS: Record<string, string> = {
  'conversations.ts': 'conversations',
  'documents.ts': 'documents',
  'document-creation.ts': 'documents',
  'chunks.ts': 'chunks',
};
const ENDPOINT = /^ {2}(\w+): endpoint\(/;
const MAPPER = /^(?:export )?const (to\w+) = /;

const sources = fs
  .readdirSync(FACADE)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => [name, fs.readFileSync(path.join(FACADE, name), 'utf8')] as const);

let root: string;

beforeAll(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'lectern-mapping-'));
  for (const name of ['db', 'src', 'tsconfig.json', 'package.json'])
    fs.cpSync(name, path.join(root, name), { recursive: true });
  fs.symlinkSync(path.resolve('node_modules'), path.join(root, 'node_modules'));
  const planted = {
    extends: './tsconfig.json',
    compilerOptions: {
      noUnusedLocals: false,
      noUnusedParameters: false,
      incremental: true,
      tsBuildInfoFile: './planted.tsbuildinfo',
    },
    include: [FACADE, 'src/**/*.d.ts'],
    exclude: ['**/*.test.ts'],
  };
  fs.writeFileSync(path.join(root, 'planted.json'), JSON.stringify(planted));
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

/** Compiles the facade with changed files, and lists the endpoints and mappers that have errors. */
function compile(changes: Record<string, string>): string[] {
  for (const [name, source] of sources) {
    fs.writeFileSync(path.join(root, FACADE, name), changes[name] ?? source);
  }
  const { stdout } = spawnSync(
    path.resolve('node_modules/.bin/tsc'),
    ['-p', 'planted.json', '--pretty', 'false'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  const places = [...stdout.matchAll(/^src\/rest-facade\/([\w.-]+)\((\d+),\d+\): error/gm)];
  return [...new Set(places.map(([, name = '', line]) => declarationAt(name, Number(line), changes)))].sort();
}

/** The endpoint or mapper that a line belongs to. */
function declarationAt(name: string, line: number, changes: Record<string, string>): string {
  const source = changes[name] ?? new Map(sources).get(name) ?? '';
  for (const text of source.split('\n').slice(0, line).reverse()) {
    const [, verb] = ENDPOINT.exec(text) ?? [];
    if (verb) return `${AREAS[name]}.${verb}`;
    const [, mapper] = MAPPER.exec(text) ?? [];
    if (mapper) return mapper;
  }
  return `${name}:${line}`;
}

/** Adds an optional field to one part of the request of every endpoint. */
function plantInRequests(part: 'query' | 'body'): Record<string, string> {
  const source = new Map(sources).get('endpoint.ts') ?? '';
  const planted = source
    .replace('input: z.output<z.ZodObject<P>> }', 'input: Planted<z.output<z.ZodObject<P>>> }')
    .replace('parts, input)', 'parts, input as object)');
  expect(planted).toMatch(/Planted.*input as object/s);
  const type = `type Planted<I> = { [K in keyof I]: K extends '${part}' ? I[K] & { planted?: string } : I[K] };`;
  return { 'endpoint.ts': `${planted}\n${type}\n` };
}

test.each(['query', 'body'] as const)(
  'a field of a %s that is not handed to the domain does not compile',
  (part) => {
    const endpoints = listEndpoints(restRouter).filter(({ parts }) => parts[part]);
    expect(compile(plantInRequests(part))).toEqual(endpoints.map(({ name }) => name).sort());
  },
);

test('a field of an answer that its mapper forgets does not compile', () => {
  const mappers = sources.flatMap(([, source]) =>
    [...source.matchAll(/const (to\w+) = [^=]*AllFields<z\.input<typeof (\w+)>>/g)].map(
      ([, name, schema]) => ({
        name,
        schema,
      }),
    ),
  );
  const schemas = new Set(mappers.map(({ schema }) => schema));
  const changes = sources.map(([name, source]) => [
    name,
    source.replace(/const (\w+) = (z\s*\.object\(\{|\w+\.extend\(\{)/g, (text, schema) =>
      schemas.has(schema) ? `${text} planted${schema}: z.string().optional(),` : text,
    ),
  ]);
  expect(compile(Object.fromEntries(changes))).toEqual(mappers.map(({ name }) => name).sort());
});

test('every mapper of an answer has all fields', () => {
  for (const [name, source] of sources) {
    expect(source.replaceAll(/AllFields<z\.input<typeof \w+>>/g, ''), name).not.toMatch(
      /z\.(input|output)<typeof/,
    );
  }
});

test('defaults and lists of values are those of the domain', () => {
  for (const [name, source] of sources)
    expect(source, name).not.toMatch(/\.default\(|z\.enum\(|z\s*\.literal\(/);
});
