import { parseArgs } from 'node:util';

/**
 * Reads what a measuring program was given: `--json`, and options with values, of which those with a default that is a
 * number take whole numbers from 1; those with the default false have no value. `--help` prints the usage and ends; so
 * does what is wrong, with status 2.
 *
 * @param check refuses by throwing what these options cannot be together
 */
export function readOptions<T extends Record<string, string | number | boolean>>(
  usage: string,
  defaults: T,
  check: (given: T) => void = () => {},
): T & { json: boolean } {
  try {
    const options = Object.fromEntries(
      Object.entries(defaults).map(([name, value]) => [
        name,
        typeof value === 'boolean'
          ? { type: 'boolean' as const, default: value }
          : { type: 'string' as const, default: String(value) },
      ]),
    );
    const { values } = parseArgs({
      options: {
        ...options,
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help) {
      process.stdout.write(`${usage}\n`);
      process.exit(0);
    }
    const given = Object.fromEntries(
      Object.entries(defaults).map(([name, value]) => {
        const found = (values as Record<string, unknown>)[name];
        return [name, typeof value === 'number' ? readCount(name, String(found)) : found];
      }),
    ) as T;
    check(given);
    return { ...given, json: values.json ?? false };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}\n`);
    process.exit(2);
  }
}

function readCount(name: string, text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new Error(`--${name} is a number from 1.`);
}
