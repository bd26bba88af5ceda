import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Dictionary, useMessages } from '../language/language';
import { EmptyState } from '../ui/notice';
import { PageHeader } from '../ui/page-header';
import { callerOf, session } from './session';
import type { Outputs } from './trpc';

export type Permission = NonNullable<Outputs['session']['get']['key']>['scopes'][number];

const en = {
  title: 'You may not do this here',
  text: (permission: string) =>
    `You need the permission ${permission}. Sign in with a key that has it, or ask an admin for a role that includes it.`,
};
const zh: typeof en = {
  title: '您没有此权限',
  text: (permission) =>
    `需要权限 ${permission}。请使用具有该权限的密钥登录，或请管理员为您分配包含它的角色。`,
};
const messages: Dictionary<typeof en> = { en, zh };

/** Whether something is permitted; undefined until that is known. */
export function usePermission(permission: Permission): boolean | undefined {
  const { data, error } = useQuery(session);
  if (data) return data.mode === 'open' || (callerOf(data)?.scopes.includes(permission) ?? false);
  // What is not permitted is refused, and says so.
  return error ? true : undefined;
}

interface PermissionGateProps {
  permission: Permission;
  /** Of the screen. */
  title: string;
  children: ReactNode;
}

/** What is inside where it is permitted, else what it takes. */
export function PermissionGate({ permission, title, children }: PermissionGateProps) {
  const t = useMessages(messages);
  const isPermitted = usePermission(permission);
  if (isPermitted === undefined) return null;
  if (isPermitted) return children;
  return (
    <>
      <PageHeader title={title} />
      <EmptyState Icon={KeyRound} title={t.title}>
        <p>{t.text(permission)}</p>
      </EmptyState>
    </>
  );
}
