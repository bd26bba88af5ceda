import { type EntryParser, MAX_URL_LENGTH, type SitemapEntries } from './sitemap-entries.js';

/** Reads a plain list with an address on each line. */
export function createUrlListParser(entries: SitemapEntries): EntryParser {
  let line = '';
  let hasAddress = false;

  const endLine = () => {
    const page = line.trim();
    hasAddress ||= /^https?:\/\//i.test(page);
    entries.addPage(page);
    line = '';
  };

  return {
    write(text) {
      const [rest = '', ...others] = text.split(/[\r\n]+/);
      extend(rest);
      for (const other of others) {
        endLine();
        extend(other);
      }
    },
    end: endLine,
    /** Prose has lines, too. */
    isRecognized: () => hasAddress,
    isUnsupported: () => false,
  };

  /** A line is cut where it is certainly too long. */
  function extend(part: string): void {
    line = (line + part).trimStart().slice(0, MAX_URL_LENGTH + 1);
  }
}
