import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { BookOpen, Braces, CircleHelp, LogOut, Search, Settings as SettingsIcon } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { CallError } from '../api/call-error';
import { useScope } from '../api/scope';
import { serverStatus } from '../api/server-status';
import { callerOf, isSignedOut, session, signOut } from '../api/session';
import icon from '../icon.svg';
import { useMessages } from '../language/language';
import { Button } from '../ui/button';
import { Popover } from '../ui/popover';
import { Toasts } from '../ui/toast';
import { useMedia } from '../ui/use-media';
import { useShortcuts } from '../ui/use-shortcuts';
import { messages } from './messages';
import { OtherTenant } from './other-tenant';
import { FailedSignIn } from './provider-sign-in';
import { ScopeSwitcher } from './scope-switcher';
import { screens } from './screens';
import styles from './shell.module.css';

/** Of the field that `/` goes to. */
const QUESTION_FIELD = '[data-question]';
/** Where groups of screens begin. */
const GROUPS = new Set<string>(['/documents', '/operations']);
/* What few see is loaded when it is seen. */
const HelpDialog = lazy(() =>
  import('./help/help-dialog').then(({ HelpDialog }) => ({ default: HelpDialog })),
);
const SignIn = lazy(() => import('./sign-in').then(({ SignIn }) => ({ default: SignIn })));
const SettingsFields = lazy(() =>
  import('./settings-fields').then(({ SettingsFields }) => ({ default: SettingsFields })),
);
const Palette = lazy(() => import('./palette/palette').then(({ Palette }) => ({ default: Palette })));

/** What is around every screen: navigation, scope, settings and keyboard. */
export function Shell(): ReactNode {
  const t = useMessages(messages);
  const navigate = useNavigate();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const isSignedIn = useIsSignedIn();
  const isNarrow = useMedia('(max-width: 800px)');
  const pathname = useLocation({ select: (location) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link of the screen follows from the path
  useEffect(() => {
    const current = document.querySelector('nav [aria-current="page"]');
    current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  useShortcuts({
    '/': () => {
      const field = document.querySelector<HTMLElement>(QUESTION_FIELD);
      if (field) field.focus();
      else navigate({ to: '/search' });
    },
    ...Object.fromEntries(screens.map(({ keys, path }) => [keys, () => navigate({ to: path })])),
    '?': () => setHelpOpen(true),
    'Ctrl+k': () => isSignedIn && setPaletteOpen(true),
  });
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {t.skip}
      </a>
      <header className={styles.side}>
        <p className={styles.brand}>
          <img src={icon} alt="" />
          Lectern
        </p>
        {isSignedIn && (
          <>
            <ScopeSwitcher />
            <Button className={styles.palette ?? ''} onClick={() => setPaletteOpen(true)}>
              <Search />
              {t.palette.open}
              <kbd>{t.palette.keys}</kbd>
            </Button>
          </>
        )}
        <nav className={styles.navigation} aria-label={t.navigation}>
          {isSignedIn &&
            screens.map(({ path, Icon }) => (
              <Link
                key={path}
                to={path}
                className={GROUPS.has(path) ? `${styles.link} ${styles.apart}` : styles.link}
                activeOptions={{ includeSearch: false }}
              >
                <Icon />
                {t.screens[path]}
              </Link>
            ))}
          <a href={t.guidePath} className={`${styles.link} ${styles.apart}`}>
            <BookOpen />
            {t.guide}
          </a>
          <a href="/docs" className={styles.link}>
            <Braces />
            {t.reference}
          </a>
        </nav>
        <div className={styles.foot}>
          {!isNarrow && <AccountOfServer />}
          <Settings withAccount={isNarrow} />
          <Button
            kind="quiet"
            size="small"
            className={styles.small ?? ''}
            title="?"
            onClick={() => setHelpOpen(true)}
          >
            <CircleHelp />
            {t.help}
          </Button>
        </div>
      </header>
      <main id="content" className={styles.main} tabIndex={-1}>
        <Screen />
      </main>
      <Toasts />
      {isPaletteOpen && (
        <Suspense>
          <Palette onHelp={() => setHelpOpen(true)} onClose={() => setPaletteOpen(false)} />
        </Suspense>
      )}
      {isHelpOpen && (
        <Suspense>
          <HelpDialog onClose={() => setHelpOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** Whether there is something to show: the server needs no key, or somebody is signed in. Until that is known, too. */
function useIsSignedIn(): boolean {
  const { data: status } = useQuery(serverStatus);
  const { error } = useQuery({ ...session, enabled: status?.needsKey === true });
  return !(status?.needsKey && error && isSignedOut(error));
}

/** The screen of the route, once it is known that the server answers this browser. */
function Screen() {
  const { data, error, refetch } = useQuery(serverStatus);
  if (data) return data.needsKey ? <SignedIn /> : <Outlet />;
  return error ? <CallError error={error} onRetry={refetch} /> : null;
}

/** The same where the server asks for keys. */
function SignedIn() {
  const { data, error, refetch } = useQuery(session);
  const { tenantId } = useScope();
  if (error)
    return isSignedOut(error) ? (
      <Suspense>
        <SignIn />
      </Suspense>
    ) : (
      <CallError error={error} onRetry={refetch} />
    );
  if (!data) return null;
  const { user } = data;
  return (
    <>
      <FailedSignIn />
      {user && user.tenantId !== tenantId ? (
        <OtherTenant own={user.tenantId} asked={tenantId} issuer={user.issuer} />
      ) : (
        <Outlet />
      )}
    </>
  );
}

/** Who is signed in, on a server that asks for keys. */
function AccountOfServer() {
  const { data } = useQuery(serverStatus);
  return data?.needsKey ? <Account /> : null;
}

/** The key or the person that is signed in. */
function Account() {
  const t = useMessages(messages);
  const { data, error } = useQuery(session);
  const { mutate, isPending } = useMutation({ mutationFn: signOut });
  const caller = callerOf(data);
  if (!caller || error) return null;
  return (
    <p className={styles.account}>
      <Caller caller={caller} />
      <Button
        kind="quiet"
        size="icon"
        aria-label={t.signOut}
        title={t.signOut}
        disabled={isPending}
        onClick={() => mutate()}
      >
        <LogOut />
      </Button>
    </p>
  );
}

/** A person by its name, with its role; the provider is in the tooltip. */
function Caller({ caller }: { caller: NonNullable<ReturnType<typeof callerOf>> }) {
  const t = useMessages(messages);
  if (!('issuer' in caller)) return <span>{caller.name}</span>;
  const { id, name, email, issuer, role } = caller;
  return (
    <span title={[email, issuer].filter(Boolean).join(' · ')}>
      {name ?? email ?? id}
      {role !== null && ` (${role === 'unknown' ? role : t.roles[role]})`}
    </span>
  );
}

/** How the console looks, behind a button; on a narrow window who is signed in, too. */
function Settings({ withAccount }: { withAccount: boolean }) {
  const t = useMessages(messages);
  return (
    <Popover
      kind="quiet"
      size="small"
      className={styles.small ?? ''}
      title={t.settings}
      content={() => (
        <div className={styles.settings}>
          {withAccount && <AccountOfServer />}
          <Suspense>
            <SettingsFields />
          </Suspense>
        </div>
      )}
    >
      <SettingsIcon />
      {t.settings}
    </Popover>
  );
}
