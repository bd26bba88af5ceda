import { useState } from 'react';

export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

/** Read by theme.js before the first paint, too. */
const STORED_AS = 'lectern.density';

/** How much room rows and controls take, and how to change it. */
export function useDensity(): [density: Density, setDensity: (density: Density) => void] {
  const [density, choose] = useState<Density>(() =>
    document.documentElement.dataset.density === 'compact' ? 'compact' : 'comfortable',
  );
  const setDensity = (chosen: Density) => {
    if (chosen === 'compact') document.documentElement.dataset.density = chosen;
    else delete document.documentElement.dataset.density;
    try {
      localStorage.setItem(STORED_AS, chosen);
    } catch {
      // It counts until the page is closed.
    }
    choose(chosen);
  };
  return [density, setDensity];
}
