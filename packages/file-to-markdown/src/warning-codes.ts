/** What may be lost of a file that could be read, by code. */
export const warningMeanings = {
  pages_without_text: 'Pages, slides or sheets that contain images but no text.',
  unreadable_pages: 'Damaged pages.',
  unknown_characters: 'Pages with glyphs whose characters the file does not define.',
  unreadable_attachments: 'Files within the file that could not be read, by name.',
  sections_left_out:
    'Sections of a web page that look like navigation, advertisements or similar, listed by heading or id.',
  unreadable_parts: 'Other damaged or missing parts of the file, by name.',
} as const;

export type WarningCode = keyof typeof warningMeanings;
export const warningCodes = Object.keys(warningMeanings) as WarningCode[];
