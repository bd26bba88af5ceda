/** Footnotes and endnotes, numbered together as the text mentions them. */
export class NoteMarks {
  readonly #numbers = new Map<string, number>();
  readonly #texts = new Map<string, string>();
  /** Kinds of notes that are mentioned and not there. */
  readonly missing = new Set<string>();

  add(kind: string, id: string, markdown: string): void {
    this.#texts.set(`${kind} ${id}`, markdown);
  }

  /** The number of a note, and its text when it is mentioned first. */
  mention(kind: string, id: string): { number: number; blocks: string } {
    const key = `${kind} ${id}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return { number: known, blocks: '' };
    const number = this.#numbers.size + 1;
    this.#numbers.set(key, number);
    const blocks = this.#texts.get(key);
    if (blocks === undefined) this.missing.add(kind);
    return { number, blocks: blocks ?? '' };
  }
}
