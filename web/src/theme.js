/* Sets the chosen theme and density before the first paint; without a choice the system's theme counts. */
try {
  const theme = localStorage.getItem('lectern.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  if (localStorage.getItem('lectern.density') === 'compact')
    document.documentElement.dataset.density = 'compact';
} catch {
  // Storage may be forbidden.
}
