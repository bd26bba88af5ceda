export const warningCodes = [
  /** Pages, slides or sheets that hold pictures and no text. */
  'pages_without_text',
  /** Pages that are damaged. */
  'unreadable_pages',
  /** Pages with glyphs that the file does not say the characters of. */
  'unknown_characters',
  /** Files within the file, by their names. */
  'unreadable_attachments',
  /** Parts of a web page that were taken for navigation, advertisements and the like, by their headings or ids. */
  'sections_left_out',
  /** Parts of the file that are damaged or missing, by their names. */
  'unreadable_parts',
] as const;
/** What was lost of a file that could be read. */
export type WarningCode = (typeof warningCodes)[number];
