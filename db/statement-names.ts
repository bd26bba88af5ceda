/* Names under which connections prepare statements, so that PostgreSQL parses and plans each once for a connection. */

/** Each prepared statement takes memory of the connection. */
const MAX_NAMES = 100;

/** Of statements that every pool prepares. */
const shared = new Map<string, string>();

/** Has all pools prepare a statement from now on. */
export function nameStatement(text: string): void {
  name(shared, text, 'c');
}

export const sharedNameOf = (text: string): string | undefined => shared.get(text);

/** Names any statement. Undefined where there are too many: such a statement is planned each time. */
export function createNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => shared.get(text) ?? name(names, text, 's');
}

function name(names: Map<string, string>, text: string, prefix: string): string | undefined {
  if (!names.has(text) && names.size < MAX_NAMES) names.set(text, `${prefix}${names.size}`);
  return names.get(text);
}
