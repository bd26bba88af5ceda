export const en = {
  title: 'Overview',
};
