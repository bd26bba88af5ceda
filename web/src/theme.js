/* Sets the chosen theme before the first paint; without a choice the system's counts. */
try {
  const theme = localStorage.getItem('lectern.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden.
}
