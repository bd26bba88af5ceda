export const en = {
  title: 'Audit log',
};
