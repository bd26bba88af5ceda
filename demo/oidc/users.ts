/** A user of the demonstration's provider, as its claims say. */
export interface DemoUser {
  id: string;
  name: string;
  email: string;
  tenantId: string;
  /** Groups at the provider; `ROLES` says what they are here. */
  groups: string[];
}

/** What AUTH_ISSUERS maps groups of the provider to. */
export const ROLES = {
  'support-admins': ['admin'],
  'support-editors': ['editor'],
  'support-reviewers': ['reviewer'],
};

const user = (id: string, name: string, tenantId: string, groups: (keyof typeof ROLES)[]): DemoUser => ({
  id,
  name,
  email: `${id}@${tenantId}.example`,
  tenantId,
  groups,
});

export const users: readonly DemoUser[] = [
  user('ada', 'Ada Park', 'demo', ['support-admins']),
  user('ben', 'Ben Okafor', 'demo', ['support-editors']),
  user('chen', '陈伟', 'demo', ['support-reviewers']),
  user('dana', 'Dana Levi', 'demo', []),
  user('oskar', 'Oskar Lind', 'acme', ['support-admins']),
];

/** Such as `tenant demo, admin`. */
export const describeUser = ({ tenantId, groups }: DemoUser): string => {
  const roles = groups.flatMap((group) => ROLES[group as keyof typeof ROLES] ?? []);
  return `tenant ${tenantId}, ${roles.join(', ') || 'no role yet'}`;
};
