export const en = {
  title: 'API keys',
};
