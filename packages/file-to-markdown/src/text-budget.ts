import { tooMuchTextError } from './errors.js';

/** Counts the characters of text of one file and the files embedded in it against a limit. */
export class TextBudget {
  #used = 0;

  constructor(private readonly characters = Number.POSITIVE_INFINITY) {}

  get used(): number {
    return this.#used;
  }

  /** @throws FileError `too_much_text` */
  spend(characters: number): void {
    this.#used += characters;
    this.assertAvailable(0);
  }

  /**
   * To be called before text is built that might not fit into memory.
   *
   * @throws FileError `too_much_text` where so many characters more would be too many
   */
  assertAvailable(characters: number): void {
    if (this.#used + characters > this.characters) throw tooMuchTextError();
  }
}
