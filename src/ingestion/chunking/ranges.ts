/** Ranges are dropped in batches once they are passed. */
const PASSED = 1_000;

/** Values of ranges of a text, which are added and looked up from its beginning to its end. */
export class Ranges<T> {
  readonly #ranges: { start: number; end: number; value: T }[] = [];
  #first = 0;

  /** Neither starts nor ends fall from one to the next. */
  add(start: number, end: number, value: T): void {
    this.#ranges.push({ start, end, value });
  }

  /** Those that overlap; `start` does not fall from one call to the next. */
  within(start: number, end: number): T[] {
    while ((this.#ranges[this.#first]?.end ?? Number.POSITIVE_INFINITY) <= start) this.#first++;
    if (this.#first > PASSED) {
      this.#ranges.splice(0, this.#first);
      this.#first = 0;
    }
    const found: T[] = [];
    for (let place = this.#first; place < this.#ranges.length; place++) {
      const range = this.#ranges[place];
      if (!range || range.start >= end) break;
      found.push(range.value);
    }
    return found;
  }
}
