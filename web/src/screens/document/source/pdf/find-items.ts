/** Shorter lines are found where they do not belong. */
const MIN_LENGTH = 6;

/**
 * Finds the items of a page that have text of a chunk. Only letters and digits count, as parsers change spaces, marks
 * and hyphens; each line of the chunk is looked for on its own, as columns and tables come in another order.
 *
 * @returns places in `items`
 */
export function findItems(items: readonly string[], chunk: string): number[] {
  const owners: number[] = [];
  let page = '';
  for (const [place, item] of items.entries()) {
    const text = bare(item);
    page += text;
    for (let count = 0; count < text.length; count++) owners.push(place);
  }
  const found = new Set<number>();
  for (const line of chunk.split(/[\n|。．.!?！？]/)) {
    const wanted = bare(line);
    if (wanted.length < MIN_LENGTH) continue;
    const start = page.indexOf(wanted);
    if (start < 0) continue;
    for (const owner of owners.slice(start, start + wanted.length)) found.add(owner);
  }
  return [...found];
}

const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
