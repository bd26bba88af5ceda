/**
 * What is no word of a text: addresses, targets of links, commands, tags, entities, and names of files and hosts. Every
 * part begins where no other match of it can have begun before, or is bounded, so that all of them take linear time.
 */
const PARTS = [
  /(?:https?|ftp):\/\/[^\s<>"，。）]+/,
  /\bwww\.[^\s<>"，。）]+/,
  /(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+/,
  /\]\([^)\]]{0,700}\)/,
  /\\[a-zA-Z]+/,
  /<[/!]?[a-zA-Z-][^<>]{0,500}>/,
  /&(?:[a-z]{2,8}|#\d{1,8});/,
  /(?<![\w-])(?<![\w-]\.)[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov|cn|html?|php|pdf|docx?|xlsx?|png|jpe?g|gif|svg)\b/,
];

export const MARKUP_PATTERN = new RegExp(PARTS.map(({ source }) => source).join('|'), 'g');
