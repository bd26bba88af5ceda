/** A button in each block of code that copies it. Without a secure context there is no clipboard, and no button. */
export function addCopyButtons({ copy, copied }) {
  if (!navigator.clipboard) return;
  for (const block of document.querySelectorAll('article pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = copy;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent.trimEnd());
      button.textContent = copied;
      setTimeout(() => {
        button.textContent = copy;
      }, 2_000);
    });
    block.append(button);
  }
}
