const plural = new Intl.PluralRules('en');
const of = (count: number, one: string, many: string) => (plural.select(count) === 'one' ? one : many);

export const en = {
  inFile: (name: string) => `in “${name}”`,
  pages: (count: number, ranges: string[], more: number) =>
    `${of(count, 'Page', 'Pages')} ${ranges.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  names: (count: number, names: string[], more: number) =>
    names.length === 0 ? `${count} in all` : `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
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
