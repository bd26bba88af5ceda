/** The names in a list separated by commas. */
export const namesIn = (list: string): string[] => list.split(',').filter(Boolean);
