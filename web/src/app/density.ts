import { createChoice } from '../ui/create-choice';

export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

/** How much room rows and controls take, and how to change it. */
export const useDensity = createChoice('density', densities);
