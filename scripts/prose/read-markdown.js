/* The prose of a file of Markdown: paragraphs, headings, items and cells, each with its line. */
import { lexer, walkTokens } from 'marked';

/** Stands for inline code and quoted text where rules read: as long as they are, and no letter. */
export const CODE = '\u25e6';
const QUOTED = /"[^"]*"/g;

/** @returns blocks with their text, and the text as rules read it, of the same length */
export function readMarkdown(markdown) {
  const blocks = [];
  let place = 0;
  const add = (token, isHeading = false) => {
    const [first] = token.text.split('\n');
    const found = markdown.indexOf(first, place);
    if (found >= 0) place = found;
    const line = markdown.slice(0, place).split('\n').length;
    place += found >= 0 ? first.length : 0;
    const prose = spell(token.tokens, true).replace(QUOTED, (quoted) => CODE.repeat(quoted.length));
    blocks.push({ line, isHeading, text: spell(token.tokens, false), prose });
  };
  walkTokens(lexer(markdown), (token) => {
    if (token.type === 'table') for (const cell of [token.header, ...token.rows].flat()) add(cell);
    else if (token.type === 'heading') add(token, true);
    else if (token.type === 'paragraph' || (token.type === 'text' && token.tokens)) add(token);
  });
  return blocks;
}

function spell(tokens, hideCode) {
  return tokens
    .map((token) => {
      if (token.type === 'codespan') return hideCode ? CODE.repeat(token.text.length) : token.text;
      if (token.type === 'html') return '';
      return token.tokens ? spell(token.tokens, hideCode) : (token.text ?? '\n');
    })
    .join('');
}
