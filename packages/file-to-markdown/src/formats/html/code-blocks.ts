import type { DomDocument, DomElement } from './dom.js';

/** How highlighters name the language of a block: `language-js`, `highlight-source-js`, `brush: js`. */
const LANGUAGE = /(?:^|\s)(?:lang(?:uage)?-|highlight-(?:source-)?|brush:\s*)([\w+#-]+)/i;
const NO_LANGUAGE = /^(?:default|none|text|plaintext|plain)$/i;

/** Gives preformatted text the form by which the converter knows code: text in `<pre><code class="language-…">`. */
export function normalizeCodeBlocks(document: DomDocument, except: string): void {
  for (const pre of document.querySelectorAll(`pre:not([${except}])`)) {
    for (const line of pre.querySelectorAll('br')) line.replaceWith('\n');
    const language = languageOf(pre);
    const code = document.createElement('code');
    code.textContent = (pre.textContent ?? '').replace(/^\n/, '');
    if (language) code.setAttribute('class', `language-${language}`);
    pre.textContent = '';
    pre.append(code);
  }
}

function languageOf(pre: DomElement): string | undefined {
  const named = [pre.querySelector('code'), pre, pre.parentElement, pre.parentElement?.parentElement];
  for (const element of named) {
    const language = LANGUAGE.exec(element?.getAttribute('class') ?? '')?.[1];
    if (language && !NO_LANGUAGE.test(language)) return language.toLowerCase();
  }
  return undefined;
}
