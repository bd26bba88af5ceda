/** The ids in a list that is separated by commas. */
export const readDatasets = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,，]/)
      .map((id) => id.trim())
      .filter(Boolean),
  ),
];
