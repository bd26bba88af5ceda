/** The part of a long text that is still needed. */
export class TextWindow {
  text = '';
  /** Where in the whole text `text` begins. */
  base = 0;

  /** Where in the whole text `text` ends. */
  get end(): number {
    return this.base + this.text.length;
  }

  /** By offsets into the whole text. */
  slice(start: number, end: number): string {
    return this.text.slice(start - this.base, end - this.base);
  }

  /** Drops the text before `offset` and appends `more`. */
  advance(offset: number, more: string): void {
    this.text = this.text.slice(offset - this.base) + more;
    this.base = offset;
  }
}
