import { createChoice } from '../ui/create-choice';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** The chosen theme, and how to change it. */
export const useTheme = createChoice('theme', themes);
