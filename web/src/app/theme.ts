import { useState } from 'react';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Read by theme.js before the first paint, too. */
const STORED_AS = 'lectern.theme';

/** The chosen theme, and how to change it. */
export function useTheme(): [theme: Theme, setTheme: (theme: Theme) => void] {
  const [theme, choose] = useState<Theme>(() => {
    const { theme } = document.documentElement.dataset;
    return theme === 'light' || theme === 'dark' ? theme : 'system';
  });
  const setTheme = (chosen: Theme) => {
    if (chosen === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = chosen;
    try {
      localStorage.setItem(STORED_AS, chosen);
    } catch {
      // It counts until the page is closed.
    }
    choose(chosen);
  };
  return [theme, setTheme];
}
