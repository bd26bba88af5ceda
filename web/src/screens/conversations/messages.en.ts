export const en = {
  title: 'Conversations',
};
