import { addCopyButtons } from './copy-buttons.js';
import { addSearch } from './search.js';

document.documentElement.classList.add('scripted');

const menu = document.querySelector('.menu');
const side = document.querySelector('.side');
menu.addEventListener('click', () => {
  menu.setAttribute('aria-expanded', String(side.classList.toggle('open')));
});
// Not scrollIntoView, which would scroll the page as well.
const current = side.querySelector('[aria-current]');
if (current) side.scrollTop = current.offsetTop - side.clientHeight / 2;

/** Stored where the console keeps its choice, which theme.js reads before the first paint. */
document.querySelector('.theme').addEventListener('click', () => {
  const root = document.documentElement;
  const shown = root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  root.dataset.theme = shown === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem('lectern.theme', root.dataset.theme);
  } catch {
    // It counts until the page is closed.
  }
});

addCopyButtons(document.body.dataset);
addSearch(document.querySelector('.search'), document.body.dataset.root);
