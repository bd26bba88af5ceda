import { variableGroups } from '../config/environment.js';
import { type About, aboutOf, type Group } from '../config/variables/group.js';
import { defaultValueOf } from './configuration.js';
import { wrap } from './markdown.js';

const HEADING = `# Generated from the code: change the descriptions in src/config/variables, and run "node scripts/reference.js".
#
# All variables are optional. Values without # are the defaults. The server reads the environment, not this file:
#   set -a; . ./.env; set +a; npm start
# In a shell, values with spaces, & and the like need single quotes.
`;

/** `.env.example`: every variable with its default, or with an example behind a #. */
export const envExample = (): string => `${HEADING}\n${variableGroups.map(describe).join('\n')}`;

function describe({ title, note, variables, ofLibraries = {} }: Group): string {
  const entries = [
    ...Object.entries(variables).map(([name, schema]) =>
      entry(name, aboutOf(name, schema), defaultValueOf(schema)),
    ),
    ...Object.entries(ofLibraries).map(([name, about]) => entry(name, about)),
  ];
  return [`# ---- ${title} ----`, ...(note ? [comment(note)] : []), '', ...entries, ''].join('\n');
}

function entry(name: string, { description, examples = [''], fallback }: About, value?: string): string {
  const lines =
    value === undefined || fallback !== undefined
      ? examples.map((example) => `# ${name}=${example}`)
      : [`${name}=${value}`];
  const byDefault = fallback === undefined ? '' : ` Default: ${fallback}.`;
  return [comment(description + byDefault), ...lines].join('\n');
}

const comment = (text: string): string => wrap(text.replaceAll('`', ''), 120, '# ');
