import { z } from 'zod';
import { variableGroups } from '../config/environment.js';
import { type About, aboutOf, type Group } from '../config/variables/group.js';
import { boundsOf, type JsonSchema } from './json-schema.js';
import { code, formatPage, section, table, wrap } from './markdown.js';

/** Matches no entry of any kind. */
const UNFIT = '! @';
const NAMES = new Set(variableGroups.flatMap(({ variables }) => Object.keys(variables)));

/** The page about the variables of the environment, from their schemas. */
export const configurationPage = (): string =>
  formatPage({
    title: 'Configuration',
    introduction:
      'All settings are environment variables. All are optional, and the server validates them when it starts. An empty variable counts as absent. [`.env.example`](../../../.env.example) lists them as a file. `lectern doctor` finds misspelled names.',
    sections: variableGroups.map(describe),
  });

const describe = ({ title, note, variables, ofLibraries = {} }: Group): string =>
  section(
    `## ${title}`,
    note ? wrap(withCode(note)) : '',
    table(
      ['Variable', 'Default', 'Values', 'Meaning'],
      Object.entries(variables).map(([name, schema]) => {
        const about = aboutOf(name, schema);
        return [
          code(name),
          defaultOf(schema, about),
          valuesOf(schema as z.ZodType),
          withCode(about.description),
        ];
      }),
    ),
    Object.keys(ofLibraries).length > 0 && 'Libraries read these:',
    table(
      ['Variable', 'Example', 'Meaning'],
      Object.entries(ofLibraries).map(([name, { description, examples = [] }]) => [
        code(name),
        examples.map(code).join(', '),
        description,
      ]),
    ),
  );

/** The default in words, or as code. */
export function defaultOf(schema: z.core.$ZodType, { fallback }: About): string {
  if (fallback !== undefined) return withCode(fallback);
  const value = defaultValueOf(schema);
  return value === undefined ? 'none' : value === '' ? 'empty' : code(value);
}

/** The default as it would be written, if there is one; also of what is transformed or checked further. */
export function defaultValueOf(schema: z.core.$ZodType): string | undefined {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  if (def.type === 'default') return String(def.defaultValue);
  if (def.type === 'pipe') return defaultValueOf(def.in);
  return undefined;
}

/** With names of variables as code. */
export const withCode = (text: string): string =>
  text.replace(/`[^`]*`|\b[A-Z][A-Z_0-9]+\b/g, (found) => (NAMES.has(found) ? code(found) : found));

/** What a variable may hold: its choices or bounds, or what its own error says. */
function valuesOf(schema: z.ZodType): string {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  if (described.enum) return described.enum.map((value) => code(String(value))).join(', ');
  if (described.type === 'integer') return boundsOf(described);
  const [issue] = schema.safeParse(UNFIT).error?.issues ?? [];
  return issue ? choiceOf(issue.message) : 'text';
}

const choiceOf = (message: string): string =>
  message
    .replace(/^must begin with/, 'begins with')
    .replace(/^must be /, '')
    .replaceAll('<', '&lt;');
