/** The ids in a list that is separated by commas. */
export const readIds = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,，]/)
      .map((id) => id.trim())
      .filter(Boolean),
  ),
];

/** Datasets as an address has them: separated by commas, which those in an id are not. */
export const toDatasetParam = (datasetIds: readonly string[]): string =>
  datasetIds.map((id) => id.replace(/[%,，]/g, encodeURIComponent)).join(',');

export const readDatasetParam = (text = ''): string[] =>
  readIds(text).map((id) => id.replace(/%25|%2C|%EF%BC%8C/g, decodeURIComponent));
