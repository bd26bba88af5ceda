/* Sets what was chosen of the looks before the first paint; without a choice the system's theme counts. */
try {
  const { dataset } = document.documentElement;
  const theme = localStorage.getItem('lectern.theme');
  if (theme === 'light' || theme === 'dark') dataset.theme = theme;
  if (localStorage.getItem('lectern.density') === 'compact') dataset.density = 'compact';
  if (localStorage.getItem('lectern.markdown') === 'source') dataset.markdown = 'source';
} catch {
  // Storage may be forbidden.
}
