import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { CallError } from '../api/call-error';
import { readFailure } from '../api/errors';
import { signIn } from '../api/session';
import { useMessages } from '../language/language';
import { TextField } from '../ui/field';
import { EmptyState, ErrorNotice } from '../ui/notice';
import { SubmitButton, useReasons } from '../ui/submit-button';
import { messages as helpMessages } from './help/messages';
import { messages } from './messages';
import { FailedSignIn, ProviderButtons, useProviders } from './provider-sign-in';
import { storeScope } from './scope-search';
import styles from './shell.module.css';

/** Asks for an API key, and then shows what it reaches. */
export function SignIn() {
  const t = useMessages(messages);
  const { about } = useMessages(helpMessages);
  const reasons = useReasons();
  const navigate = useNavigate();
  const [apiKey, setApiKey] = useState('');
  const hasProviders = useProviders().length > 0;
  const field = useRef<HTMLInputElement>(null);
  // Before it are the fields of the tenant, whose values are shown in the address.
  useEffect(() => field.current?.focus(), []);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => signIn(apiKey.trim()),
    onSuccess: ({ key }) => {
      setApiKey('');
      const units = key?.tenantUnitIds ?? [];
      const scope = { tenant: key?.tenantId, unit: units.length === 1 ? units[0] : undefined };
      // Addresses without a tenant mean this one from now on.
      storeScope(scope);
      navigate({ to: '.', search: scope, replace: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <EmptyState title={t.signIn.title} isPage>
      <p>{about}</p>
      <FailedSignIn />
      <ProviderButtons />
      <p>{hasProviders ? t.signIn.orKey : t.signIn.text}</p>
      <form className={styles.signIn} onSubmit={submit}>
        <TextField
          ref={field}
          label={t.signIn.apiKey}
          type="password"
          autoComplete="off"
          required
          value={apiKey}
          onChange={(event) => setApiKey(event.target.value)}
        />
        <SubmitButton
          isCompact
          kind={hasProviders ? 'plain' : 'primary'}
          disabled={isPending}
          reason={apiKey.trim() === '' ? reasons.missing(t.signIn.apiKey) : undefined}
        >
          {t.signIn.submit}
        </SubmitButton>
      </form>
      {error &&
        (readFailure(error).status === 401 ? (
          <ErrorNotice>{t.signIn.refused}</ErrorNotice>
        ) : (
          <CallError error={error} />
        ))}
    </EmptyState>
  );
}
