/** The screens of the navigation, in its order, with the keys that lead there. */
export const screens = [
  { path: '/overview', keys: 'g o' },
  { path: '/documents', keys: 'g d' },
  { path: '/datasets', keys: 'g t' },
  { path: '/search', keys: 'g s' },
  { path: '/conversations', keys: 'g c' },
  { path: '/operations', keys: 'g p' },
  { path: '/keys', keys: 'g k' },
  { path: '/members', keys: 'g m' },
  { path: '/webhooks', keys: 'g w' },
  { path: '/audit', keys: 'g a' },
] as const;
