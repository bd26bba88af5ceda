export const en = {
  title: 'Document',
};
