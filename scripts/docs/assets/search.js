import { findEntries, splitWords } from './find-entries.js';

const CONTEXT_BEFORE = 40;
const CONTEXT = 160;

/** The search field: its index is loaded when it is focused first; arrow keys go through the hits. */
export function addSearch(box, root) {
  const input = box.querySelector('input');
  const list = box.querySelector('.hits');
  let index;
  const load = () => {
    index ??= fetch(input.dataset.index).then((response) => response.json());
    return index;
  };
  const show = async () => {
    const entries = await load();
    const words = splitWords(input.value);
    const hits = findEntries(entries, words);
    list.hidden = words.length === 0;
    list.replaceChildren(...hits.map((hit) => renderHit(hit, words, root)));
    if (hits.length === 0) list.append(element('p', list.dataset.none));
  };
  const hide = () => {
    list.hidden = true;
  };
  input.addEventListener('focus', show);
  input.addEventListener('input', show);
  box.addEventListener('keydown', (event) => {
    const stops = [input, ...list.querySelectorAll('a')];
    const place = stops.indexOf(document.activeElement);
    if (event.key === 'ArrowDown') stops[Math.min(place + 1, stops.length - 1)].focus();
    else if (event.key === 'ArrowUp') stops[Math.max(place - 1, 0)].focus();
    else if (event.key === 'Enter' && place === 0) stops[1]?.click();
    else if (event.key === 'Escape') hide();
    else return;
    event.preventDefault();
  });
  document.addEventListener('pointerdown', (event) => {
    if (!box.contains(event.target)) hide();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.matches('input')) return;
    event.preventDefault();
    input.focus();
  });
}

function renderHit({ url, page, heading, text }, words, root) {
  const link = element('a');
  link.href = `${root}/${url}`;
  link.append(...withMarks(heading ? `${page} › ${heading}` : page, words));
  const found = Math.min(...words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0));
  const begin = Number.isFinite(found) ? Math.max(0, found - CONTEXT_BEFORE) : 0;
  const context = element('small');
  context.append(begin > 0 ? '…' : '', ...withMarks(text.slice(begin, begin + CONTEXT), words));
  link.append(context);
  const item = element('li');
  item.append(link);
  return item;
}

/** A text in pieces, the words in it marked. */
function withMarks(text, words) {
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pieces = text.split(new RegExp(`(${escaped.join('|')})`, 'i'));
  return pieces.map((piece, place) => (place % 2 === 1 ? element('mark', piece) : piece));
}

function element(name, text = '') {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
