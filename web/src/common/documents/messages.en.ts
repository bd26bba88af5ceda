const plural = new Intl.PluralRules('en');
const of = (count: number, one: string, many: string) => (plural.select(count) === 'one' ? one : many);

export const en = {
  statuses: {
    created: 'Waiting',
    processing: 'Processing',
    ready: 'Ready',
    failed: 'Failed',
    unknown: 'Unknown',
  },
  stages: {
    fetching: 'fetching',
    parsing: 'reading',
    extracting: 'recognizing text',
    splitting: 'splitting',
    storing: 'storing',
    unknown: 'unknown stage',
  },
  readBy: {
    names: {
      docling: 'docling',
      tesseract: 'Tesseract',
      tika: 'Apache Tika',
      openai: 'vision model',
      http: 'HTTP engine',
    },
    label: 'Read by',
    of: (name: string) => `Read by ${name}`,
    choose: (name: string) => `Use ${name}`,
  },
  readers: {
    auto: (_engine: string) => 'Automatic: as the server is configured',
    own: (_engine: string) => 'Lectern alone',
    engine: (engine: string) => `Extraction engine: ${engine}`,
    unknown: () => 'Unknown',
  },
  noSource: 'No content',
  attempt: (attempt: number) => `attempt ${attempt}`,
  warningCount: (count: number) => `${count} ${of(count, 'warning', 'warnings')}`,
  inFile: (name: string) => `in “${name}”`,
  pages: (count: number, ranges: string[], more: number) =>
    `${of(count, 'Page', 'Pages')} ${ranges.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  names: (count: number, names: string[], more: number) =>
    names.length === 0 ? `${count} in all` : `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  advice: {
    encrypted: 'Remove the password from the file, and add it again.',
    damaged: 'Open the file in its program, save it again, and add it again.',
    format: 'Convert the file to PDF, DOCX or text, and add it again.',
    empty: 'Add a file that contains text; run text recognition (OCR) on images first.',
    scanned: 'Run text recognition (OCR) on it, and add the result.',
    split: 'Split the file into smaller ones, and add those.',
    address: 'Open the address in a browser. When it works there, retry.',
    access: 'Ask the operator of this server to allow the address or bucket, then retry.',
    missing: 'Add the file again.',
    quota: 'Delete what is not needed or have the quota raised, then retry.',
    cancelled: 'Retry when you want its chunks.',
    again: 'Retry. If it fails again, the log of the server says more.',
    source: 'Fix the source, then retry.',
  },
  losses: {
    pages_without_text: {
      what: 'Pages with pictures only',
      advice: 'Run text recognition (OCR) on these pages, and upload the file again.',
    },
    unreadable_pages: {
      what: 'Damaged pages',
      advice: 'Open the file in its program, save it again, and upload that.',
    },
    unknown_characters: {
      what: 'Characters that the file does not define',
      advice:
        'Words may be missing or wrong on these pages. Export the file again, or run text recognition (OCR) on it, and upload that.',
    },
    unreadable_attachments: {
      what: 'Attachments that were not read',
      advice: 'Take off passwords, convert them to PDF, DOCX or text, and add each as a document of its own.',
    },
    sections_left_out: {
      what: 'Sections that were taken for navigation or advertisements',
      advice: 'If they belong to the content, paste their text as a document of its own.',
    },
    unknown: {
      what: 'A loss of a kind that this version does not know',
      advice: 'A newer version of the server has read it: look again when the upgrade is complete.',
    },
    unreadable_parts: {
      what: 'Damaged or missing parts',
      advice: 'Open the file in its program, save it again, and upload that.',
    },
  },
};
