import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useScope } from '../api/scope';
import { type Provider, serverStatus } from '../api/server-status';
import { useMessages } from '../language/language';
import { ErrorNotice, Notice } from '../ui/notice';
import ui from '../ui/ui.module.css';
import { messages } from './messages';
import styles from './shell.module.css';
import { failedArrival } from './sign-in-arrival';

/** The providers by which people sign in. */
export const useProviders = (): Provider[] => useQuery(serverStatus).data?.signIn ?? [];

/** The address at which somebody signs in by a provider, to come back to this page. */
export function useSignInAddress(): (provider: Provider, tenantId?: string) => string {
  const returnTo = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr });
  const scope = useScope();
  return ({ url }, tenantId = scope.tenantId) =>
    `${url}?${new URLSearchParams({ return_to: returnTo, ...(tenantId !== '' && { tenant: tenantId }) })}`;
}

/** A button for each provider. */
export function ProviderButtons() {
  const t = useMessages(messages);
  const addressOf = useSignInAddress();
  const providers = useProviders();
  if (providers.length === 0) return null;
  return (
    <p className={styles.providers}>
      {providers.map((provider) => (
        <a key={provider.id} className={`${ui.button} ${ui.primary}`} href={addressOf(provider)}>
          {t.signIn.by(provider.name)}
        </a>
      ))}
    </p>
  );
}

/** Why somebody has come back from a provider without being signed in, and what to do about it. */
export function FailedSignIn() {
  const t = useMessages(messages);
  const addressOf = useSignInAddress();
  const providers = useProviders();
  if (!failedArrival) return null;
  const { code, providerId, tenantIds } = failedArrival;
  const provider = providers.find(({ id }) => id === providerId);
  if (code === 'tenant' && provider)
    return (
      <Notice>
        <p>{t.signIn.chooseTenant}</p>
        <ul className={styles.tenants}>
          {tenantIds.map((tenantId) => (
            <li key={tenantId}>
              <a href={addressOf(provider, tenantId)}>{tenantId}</a>
            </li>
          ))}
        </ul>
      </Notice>
    );
  const known: Record<string, string> = t.signIn.failures;
  return <ErrorNotice>{Object.hasOwn(known, code) ? known[code] : t.signIn.failures.failed}</ErrorNotice>;
}
