import type { AnyRouter } from '@trpc/server';
import { z } from 'zod';
import { appRouter } from '../routers/index.js';
import { boundsOf, type Field, fieldsOf, type JsonSchema, typeOf } from './json-schema.js';
import { code, codeBlock, formatPage, section, table, wrap } from './markdown.js';
import { procedureSentences } from './procedure-sentences.js';

const INTRODUCTION =
  'The tRPC API has these procedures, for `createLectern` of `lectern/client` or any client of tRPC. A query is called with `query`, a mutation with `mutate`, and a subscription with `subscribe`. A key needs one of the permissions that a procedure names; in open mode, no key is needed. An input without a default is optional unless the table says that it is required.';
const SCOPE =
  '`scope` names the tenant, `{ tenantId: string, tenantUnitId?: string | string[] }`, with ids of 1 to 255 characters. A procedure that creates something takes one unit. Others take several, or all units of the tenant if `tenantUnitId` is absent. `time` is a string in ISO 8601. `Filter` is [what a hit has to pass](../how-to/call-from-a-program.md#4-filter-what-is-found). Outputs are shown as JSON.';

interface Procedure {
  type: string;
  meta?: { permissions?: string[]; isForAnyKey?: boolean };
  /** Octets have none. */
  inputs: (z.ZodType | object)[];
  output?: z.ZodType;
}

interface Built {
  _def: Procedure;
}

/** The page about every procedure of the router, from its schemas. */
export function trpcPage(): string {
  const procedures = Object.entries((appRouter as AnyRouter)._def.procedures as Record<string, Built>).map(
    ([path, { _def }]) => [path, _def] as const,
  );
  const routers = [...new Set(procedures.map(([path]) => path.split('.')[0] ?? ''))];
  const describe = createDescribe();
  return formatPage({
    title: 'tRPC procedures',
    introduction: INTRODUCTION,
    sections: [
      wrap(SCOPE),
      table(
        ['Router', 'Procedures'],
        routers.map((router) => [
          `[${code(router)}](#${router.toLowerCase()})`,
          String(procedures.filter(([path]) => path.startsWith(`${router}.`)).length),
        ]),
      ),
      ...routers.map((router) =>
        section(
          `## ${router}`,
          ...procedures.filter(([path]) => path.startsWith(`${router}.`)).map((entry) => describe(...entry)),
        ),
      ),
    ],
  });
}

/** Outputs that were described before are referred to. */
function createDescribe() {
  const known = new Map<string, string>();
  return (path: string, { type, meta = {}, inputs, output }: Procedure): string => {
    const [router = '', name = ''] = path.split('.');
    const needed = meta.isForAnyKey ? 'any key' : (meta.permissions ?? []).map(code).join(' or ');
    const rows = inputs
      .filter(isSchema)
      .flatMap((input) => fieldsOf(toSchema(input, 'input')).flatMap(rowOf));
    const result = outputOf(type, output);
    const first = known.get(result);
    if (!first && result.includes(',')) known.set(result, path);
    return section(
      `### ${path}`,
      wrap(`${procedureSentences[router]?.[name] ?? ''} ${capitalize(type)}; ${needed}.`),
      table(['Input', 'Type', 'Default', 'Limits'], rows),
      first
        ? `Output: as [${code(first)}](#${first.toLowerCase().replace('.', '')}).`
        : result.length <= 80
          ? `Output: ${/^[a-z]+$/.test(result) ? result : code(result)}.`
          : section('Output:', codeBlock(wrapFields(result), 'ts')),
    );
  };
}

/** Between fields only. */
const wrapFields = (type: string): string => wrap(type.replace(/(?<!,) /g, '\0'), 110).replaceAll('\0', ' ');

const isSchema = (input: z.ZodType | object): input is z.ZodType => '_zod' in input;

function outputOf(type: string, output: z.ZodType | undefined): string {
  if (type === 'subscription') return 'events';
  if (!output || output._zod.def.type === 'void') return 'nothing';
  return typeOf(toSchema(output, 'output'));
}

function rowOf({ name, schema, isRequired }: Field): string[][] {
  if (name.startsWith('scope.')) return [];
  const initial = schema.default === undefined ? '' : code(JSON.stringify(schema.default));
  const type = name === 'scope' ? 'scope' : code(typeOf(schema));
  return [[code(name), type, isRequired && initial === '' ? 'required' : initial, boundsOf(schema)]];
}

const toSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema =>
  z.toJSONSchema(schema, {
    io,
    reused: 'inline',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema._zod.def.type === 'date')
        Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
    },
  }) as JsonSchema;

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
