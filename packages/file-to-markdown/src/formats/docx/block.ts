/** A paragraph, a list or a table. */
export interface Block {
  markdown: string;
  /** Without marks of headings and emphasis, for the cell of a table. */
  text: string;
  isHeading?: boolean;
}
