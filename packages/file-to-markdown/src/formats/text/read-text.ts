import { decodeStream, decodeText } from '../../decode/decode-text.js';
import type { SourceBytes } from '../../source-bytes.js';
import type { ParseInput } from '../../types.js';

const HEAD = 4096;
const XML_DECLARATION = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w-]+)["']/i;
const HTML_META = /<meta\s[^<>]{0,200}?charset\s*=\s*["']?([\w-]+)/i;

/** The whole source as text. */
export async function readText(input: ParseInput): Promise<string> {
  const bytes = await input.source.readAll();
  return decodeText(bytes, await declaredCharset(input)).text;
}

/** The source's text part by part, lines ended by `\n`; reports progress and heeds the signal. */
export async function* streamText(input: ParseInput): AsyncGenerator<string> {
  // A carriage return at the end of one part may belong to a line feed at the start of the next.
  let held = '';
  for await (const part of decodeStream(watched(input), await declaredCharset(input))) {
    const text = held + part;
    held = text.endsWith('\r') ? '\r' : '';
    yield (held ? text.slice(0, -1) : text).replace(/\r\n?/g, '\n');
  }
  if (held) yield '\n';
}

/** The encoding that the sender (media type) or the file (XML declaration, `<meta>`) names. */
async function declaredCharset({ mediaType = '', source }: ParseInput): Promise<string | undefined> {
  const head = (await source.readHead(HEAD)).toString('latin1');
  return (
    /;\s*charset\s*=\s*["']?([\w-]+)/i.exec(mediaType)?.[1] ??
    XML_DECLARATION.exec(head)?.[1] ??
    HTML_META.exec(head)?.[1]
  );
}

/** The source, with a report of how much of it has been read; finding the encoding is the first half. */
function watched({ source, signal, onProgress }: ParseInput): SourceBytes {
  let read = 0;
  return {
    size: source.size,
    readHead: (length) => source.readHead(length),
    readAll: () => source.readAll(),
    async *stream() {
      for await (const bytes of source.stream()) {
        signal?.throwIfAborted();
        read += bytes.length;
        onProgress?.(Math.min(1, read / (2 * source.size)));
        yield bytes;
      }
    },
  };
}
