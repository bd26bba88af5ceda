import path from 'node:path';

type Headers = Record<string, string | string[] | undefined>;

/** What a response's headers say about the resource; absent where the server does not say. */
export interface ResourceMetadata {
  mediaType?: string;
  fileName?: string;
  lastModified?: Date;
  etag?: string;
  /** `Last-Modified` as the server wrote it, to be sent back to it. */
  httpLastModified?: string;
}

/** Reads metadata from headers; `mediaType` keeps its parameters (`text/html; charset=gbk`). */
export function parseResourceHeaders(headers: Headers, url: URL): ResourceMetadata {
  const mediaType = firstHeader(headers, 'content-type');
  const etag = firstHeader(headers, 'etag');
  const fileName = dispositionName(firstHeader(headers, 'content-disposition')) ?? lastSegment(url);
  const httpLastModified = firstHeader(headers, 'last-modified');
  const modified = new Date(httpLastModified ?? Number.NaN);
  return {
    ...(mediaType && { mediaType }),
    ...(fileName && { fileName }),
    ...(etag && { etag }),
    ...(httpLastModified && { httpLastModified }),
    ...(!Number.isNaN(modified.getTime()) && { lastModified: modified }),
  };
}

/** The header's value, of the first line when it was sent several times. */
export function firstHeader(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** RFC 6266: `filename*` (RFC 8187) wins over `filename`; folders in it are dropped. */
function dispositionName(header = ''): string | undefined {
  const extended = /filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(header);
  const name = decodePercent(extended) ?? latin1ToUtf8(plain?.[1] ?? plain?.[2]);
  return toFileName(name);
}

function lastSegment(url: URL): string | undefined {
  return toFileName(decodePercent(path.posix.basename(url.pathname)));
}

/** Without folders and control characters; undefined where nothing is left. */
function toFileName(text = ''): string | undefined {
  return path.posix.basename(text.replaceAll('\\', '/')).replace(/\p{Cc}/gu, '') || undefined;
}

function decodePercent(text: string | undefined): string | undefined {
  try {
    return text && decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Header bytes arrive as Latin-1, but servers write UTF-8. */
export function latin1ToUtf8(text: string | undefined): string | undefined {
  return text && Buffer.from(text, 'latin1').toString('utf8');
}
