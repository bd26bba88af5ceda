export const en = {
  title: 'Operations',
};
