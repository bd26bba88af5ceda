const MAX_LENGTH = 64 * 1024;
/** YAML between lines of hyphens, or TOML between lines of plus signs; a key in its first lines tells it from a rule. */
const FRONT_MATTER =
  /^(---|\+\+\+)[ \t]*\n(?=(?:#.*\n|[ \t]*\n){0,20}[\w"'-][^\n]{0,200}?[:=])([\s\S]*?\n)\1[ \t]*(?:\n|$)/;
const TITLE = /^title[ \t]*[:=][ \t]*(\S.{0,500})$/im;

export interface FrontMatter {
  /** Its lines, without the title. */
  fields: string;
  title?: string;
  /** The text below. */
  body: string;
}

/** Parts a Markdown text from the fields above it; undefined when there are none. */
export function parseFrontMatter(text: string): FrontMatter | undefined {
  const [whole, , fields = ''] = FRONT_MATTER.exec(text.slice(0, MAX_LENGTH)) ?? [];
  if (whole === undefined) return undefined;
  const title = unquote(TITLE.exec(fields)?.[1]);
  return {
    fields: (title ? fields.replace(TITLE, '') : fields).replace(/\n{2,}/g, '\n').trim(),
    ...(title && { title }),
    body: text.slice(whole.length).trimStart(),
  };
}

function unquote(value = ''): string {
  const text = value.trim();
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1).trim() : text;
}
