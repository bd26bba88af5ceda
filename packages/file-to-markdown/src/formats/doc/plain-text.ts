const FIELD_BEGINS = '\u0013';
const FIELD_RESULT = '\u0014';
const FIELD_ENDS = '\u0015';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these have meanings in the format
const FIELD_MARKS = /([\u0013-\u0015])/;
const CHARACTERS: Record<string, string> = { '\u000b': '\n', '\u000e': '\n', '\u001e': '-', '\uf0b7': '•' };
/** Line breaks and hyphens as they are shown; pictures, marks of notes and the like are no text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these have meanings in the format
const SPECIAL = /[\u0000-\u0008\u000b-\u001f\u00ad\uf020-\uf0ff]/g;

/** Characters of a document ([MS-DOC] 2.4.1) as text, without the instructions of fields. */
export function plainText(characters: string): string {
  return withoutInstructions(characters)
    .replace(SPECIAL, (character) => CHARACTERS[character] ?? '')
    .replace(/[\t \u00a0]+/g, ' ')
    .replace(/(?<=\n) |(?<! ) (?=\n)/g, '')
    .replace(/\n{2,}/g, '\n\n')
    .trim();
}

/** Fields may begin in one paragraph and end in another; what cannot be an instruction is kept. */
function withoutInstructions(characters: string): string {
  if (!characters.includes(FIELD_BEGINS)) return characters;
  const shown: string[] = [];
  const open: number[] = [];
  const hasResult: boolean[] = [];
  for (const part of characters.split(FIELD_MARKS)) {
    if (part === FIELD_BEGINS) {
      open.push(shown.length);
      hasResult.push(false);
    } else if (part === FIELD_RESULT) {
      const start = open.at(-1);
      if (start !== undefined) shown.length = start;
      hasResult[hasResult.length - 1] = true;
    } else if (part === FIELD_ENDS) {
      const start = open.pop();
      if (hasResult.pop() || start === undefined) continue;
      const instruction = shown.splice(start).join('');
      shown.push(overstruckText(instruction));
    } else shown.push(part);
  }
  return shown.join('');
}

/** Small readings over a text are written as a field that has no result: the text is its last argument. */
function overstruckText(instruction: string): string {
  if (!/^\s*EQ\b/.test(instruction) || !instruction.includes('\\o')) return '';
  const end = instruction.lastIndexOf(')');
  return instruction.slice(instruction.lastIndexOf(',', end) + 1, Math.max(0, end));
}
