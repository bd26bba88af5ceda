import { ParseError } from '../../errors.js';
import type { SourceBytes } from '../../source-bytes.js';

/** What begins a message (RFC 4155), at the start of the file or behind an empty line. */
const FIRST = /^\s*From \S+ (?=.*\d{4}).*\r?\n/;
const NEXT = /\n\r?\n(?=From \S+ +(?:\w{3} ){2} *\d{1,2} [\d:]{5,8} (?=.*\d{4}).*\r?\n)/;
export const MAX_MESSAGE = 128 * 2 ** 20;
const LONGEST_LINE = 1000;

/** The messages of a mailbox file, one after another; of any other file, the whole. */
export async function* splitMailbox(source: SourceBytes): AsyncGenerator<Buffer> {
  const isMailbox = FIRST.test((await source.readHead(LONGEST_LINE)).toString('latin1'));
  let searched: string[] = [];
  let length = 0;
  let pending = '';
  for await (const bytes of source.stream()) {
    pending += Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    for (let end = nextStart(); end !== undefined; end = nextStart()) {
      yield message(searched.join('') + pending.slice(0, end));
      searched = [];
      length = 0;
      pending = pending.slice(end);
    }
    setAside();
    if (length + pending.length > MAX_MESSAGE) throw tooLarge();
  }
  const last = searched.join('') + pending;
  if (last.trim()) yield message(last);

  function nextStart(): number | undefined {
    const found = isMailbox ? NEXT.exec(pending) : null;
    return found ? found.index + found[0].length : undefined;
  }

  /** What is not looked at again; the last line may not be whole yet. */
  function setAside(): void {
    if (pending.length <= LONGEST_LINE) return;
    searched.push(pending.slice(0, -LONGEST_LINE));
    length += pending.length - LONGEST_LINE;
    pending = pending.slice(-LONGEST_LINE);
  }

  function message(text: string): Buffer {
    // Lines of the text that looked like the start of a message have a mark before them.
    const own = isMailbox ? text.replace(FIRST, '').replace(/^>(?=>*From )/gm, '') : text;
    return Buffer.from(own, 'latin1');
  }
}

function tooLarge(): ParseError {
  const message = 'A message in this file is larger than 128 MiB; save its attachments and upload these.';
  return new ParseError('too_large', message);
}
