/** Notes of the comments on a document, by their ids. */
export class Comments {
  readonly #notes = new Map<string, string>();

  add(id: string, note: string): void {
    this.#notes.set(id, note);
  }

  /** Once for each comment, where it is referred to first; else `''`. */
  take(id: string): string {
    const note = this.#notes.get(id) ?? '';
    this.#notes.delete(id);
    return note;
  }
}
