/** An SQL token. Words are lower-cased, quoted identifiers are not. */
export interface Token {
  kind: 'word' | 'quoted' | 'param' | 'literal' | 'sign';
  text: string;
}

const SPACE = /\s+|--[^\n]*/y;
const WORD = /[a-z_\u0080-\uffff][\w$\u0080-\uffff]*/iy;
const QUOTED = /"[^"]*(?:""[^"]*)*"/y;
const STRING = /'[^']*(?:''[^']*)*'/y;
const PARAM = /\$\d+/y;
const DOLLAR = /\$(?:[a-z_]\w*)?\$/iy;
const NUMBER = /\d[\w.]*/y;
/** Escape literals and Unicode identifiers: not supported. */
const ESCAPED = /(?:[ebxn]'|u&['"])/iy;

/** @throws Error on an unsupported token, such as an unterminated literal */
export function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  let place = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = place;
    const text = pattern.exec(sql)?.[0];
    if (text !== undefined) place += text.length;
    return text;
  };
  while (place < sql.length) {
    if (take(SPACE) !== undefined) continue;
    if (sql.startsWith('/*', place)) {
      place = afterComment(sql, place + 2);
      continue;
    }
    tokens.push(next());
  }
  return tokens;

  function next(): Token {
    const quoted = take(QUOTED);
    if (quoted !== undefined) return { kind: 'quoted', text: quoted.slice(1, -1).replaceAll('""', '"') };
    if (take(ESCAPED) !== undefined) throw new Error(UNREADABLE);
    const word = take(WORD);
    if (word !== undefined) return { kind: 'word', text: word.toLowerCase() };
    const param = take(PARAM);
    if (param !== undefined) return { kind: 'param', text: param };
    const literal = take(STRING) ?? take(NUMBER);
    if (literal !== undefined) return { kind: 'literal', text: literal };
    const dollar = take(DOLLAR);
    if (dollar !== undefined) {
      const end = sql.indexOf(dollar, place);
      if (end < 0) throw new Error(UNREADABLE);
      place = end + dollar.length;
      return { kind: 'literal', text: dollar };
    }
    const sign = sql.startsWith('::', place) ? '::' : (sql[place] as string);
    if (sign === "'" || sign === '"') throw new Error(UNREADABLE);
    place += sign.length;
    return { kind: 'sign', text: sign };
  }
}

/** Comments nest. */
function afterComment(sql: string, from: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = from;
  for (let depth = 1; depth > 0; ) {
    const found = mark.exec(sql);
    if (!found) throw new Error(UNREADABLE);
    depth += found[0] === '/*' ? 1 : -1;
  }
  return mark.lastIndex;
}

const UNREADABLE = 'it has a literal or a comment that cannot be read';
