import { expect, it } from 'vitest';
import { removeBoilerplate } from './boilerplate.js';
import { parseDom } from './dom.js';

/** Characters of text that are read while boilerplate is removed from a page, by the page's own. */
function readPerCharacter(html: string): number {
  const document = parseDom(html);
  let read = 0;
  let prototype: object | null = Object.getPrototypeOf(document.querySelector('b'));
  while (prototype && !Object.getOwnPropertyDescriptor(prototype, 'textContent')) {
    prototype = Object.getPrototypeOf(prototype);
  }
  const descriptor = Object.getOwnPropertyDescriptor(prototype, 'textContent') as PropertyDescriptor;
  Object.defineProperty(prototype, 'textContent', {
    ...descriptor,
    get() {
      const text = descriptor.get?.call(this) as string;
      read += text.length;
      return text;
    },
  });
  try {
    removeBoilerplate(document, true);
  } finally {
    Object.defineProperty(prototype, 'textContent', descriptor);
  }
  return read / html.length;
}

it('reads the text of a page hardly more than once, however many nested elements are named as boilerplate', () => {
  const nested = '<div id="share">'.repeat(280);
  const page = `<body>${`${nested}<b>text of it</b>${'</div>'.repeat(280)}`.repeat(20)}</body>`;
  expect(readPerCharacter(page)).toBeLessThan(2);
});
