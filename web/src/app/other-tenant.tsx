import { Link } from '@tanstack/react-router';
import { useMessages } from '../language/language';
import { EmptyState } from '../ui/notice';
import { messages } from './messages';
import { useProviders, useSignInAddress } from './provider-sign-in';

interface OtherTenantProps {
  /** The one that the person has signed in for. */
  own: string;
  /** The one in the address. */
  asked: string;
  issuer: string;
}

/** A session is for one tenant: leads to another one by way of the provider, or back. */
export function OtherTenant({ own, asked, issuer }: OtherTenantProps) {
  const t = useMessages(messages);
  const addressOf = useSignInAddress();
  const provider = useProviders().find((one) => one.issuer === issuer);
  return (
    <EmptyState title={t.otherTenant.title(own)} isPage>
      <p>{t.otherTenant.text}</p>
      <p>
        <Link to="." search={{ tenant: own, unit: undefined }}>
          {t.otherTenant.back(own)}
        </Link>
      </p>
      {provider && (
        <p>
          <a href={addressOf(provider, asked)}>{t.otherTenant.signIn(asked)}</a>
        </p>
      )}
    </EmptyState>
  );
}
