import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { BookOpen, Braces, CircleHelp, Command, LogOut } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { CallError } from '../api/call-error';
import { useScope } from '../api/scope';
import { serverStatus } from '../api/server-status';
import { callerOf, isSignedOut, session, signOut } from '../api/session';
import icon from '../icon.svg';
import { languages, useLanguage, useMessages } from '../language/language';
import { Button } from '../ui/button';
import { Select } from '../ui/field';
import { Toasts } from '../ui/toast';
import { useShortcuts } from '../ui/use-shortcuts';
import { type Density, densities, useDensity } from './density';
import { messages } from './messages';
import { OtherTenant } from './other-tenant';
import { FailedSignIn } from './provider-sign-in';
import { ScopeSwitcher } from './scope-switcher';
import { screens } from './screens';
import styles from './shell.module.css';
import { type Theme, themes, useTheme } from './theme';

/** Of the field that `/` goes to. */
const QUESTION_FIELD = '[data-question]';
const PANEL = 'scope-and-settings';
/* What few see is loaded when it is seen. */
const HelpDialog = lazy(() => import('./help-dialog').then(({ HelpDialog }) => ({ default: HelpDialog })));
const SignIn = lazy(() => import('./sign-in').then(({ SignIn }) => ({ default: SignIn })));
const Palette = lazy(() => import('./palette/palette').then(({ Palette }) => ({ default: Palette })));

/** What is around every screen: navigation, scope, settings and keyboard. */
export function Shell(): ReactNode {
  const t = useMessages(messages);
  const navigate = useNavigate();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isPanelOpen, setPanelOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const isSignedIn = useIsSignedIn();
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
        <div className={styles.top}>
          <p className={styles.brand}>
            <img src={icon} alt="" />
            Lectern
          </p>
          {isSignedIn && <PanelToggle isOpen={isPanelOpen} onToggle={() => setPanelOpen(!isPanelOpen)} />}
        </div>
        {isSignedIn && (
          <Button className={styles.palette ?? ''} onClick={() => setPaletteOpen(true)}>
            <Command />
            {t.palette.open}
            <kbd>{t.palette.keys}</kbd>
          </Button>
        )}
        <nav className={styles.navigation} aria-label={t.navigation}>
          {isSignedIn &&
            screens.map(({ path, Icon }) => (
              <Link key={path} to={path} className={styles.link} activeOptions={{ includeSearch: false }}>
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
        <div id={PANEL} className={`${styles.panel} ${isPanelOpen || !isSignedIn ? styles.open : ''}`}>
          {isSignedIn && <ScopeSwitcher />}
          <AccountOfServer />
          <Settings onHelp={() => setHelpOpen(true)} />
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

/** Shows and hides what is below the navigation of a narrow window; elsewhere that is always there. */
function PanelToggle({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  const t = useMessages(messages);
  const { tenantId, tenantUnitId } = useScope();
  return (
    <Button
      className={styles.toggle ?? ''}
      size="small"
      aria-expanded={isOpen}
      aria-controls={PANEL}
      title={t.scopeAndSettings}
      onClick={onToggle}
    >
      {tenantUnitId === undefined ? tenantId : `${tenantId} / ${tenantUnitId}`}
    </Button>
  );
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
      <Button size="small" disabled={isPending} onClick={() => mutate()}>
        <LogOut />
        {t.signOut}
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

function Settings({ onHelp }: { onHelp: () => void }) {
  const t = useMessages(messages);
  const { language, setLanguage } = useLanguage();
  const [theme, setTheme] = useTheme();
  const [density, setDensity] = useDensity();
  const { data } = useQuery(serverStatus);
  return (
    <div className={styles.settings}>
      <Select
        label={t.theme}
        value={theme}
        options={themes.map((value) => ({ value, text: t.themes[value] }))}
        onChange={(event) => setTheme(event.target.value as Theme)}
      />
      <Select
        label={t.language}
        value={language}
        options={languages.map((value) => ({ value, text: t.languages[value] }))}
        onChange={(event) => setLanguage(event.target.value as (typeof languages)[number])}
      />
      <Select
        label={t.density}
        value={density}
        options={densities.map((value) => ({ value, text: t.densities[value] }))}
        onChange={(event) => setDensity(event.target.value as Density)}
      />
      <div className={styles.foot}>
        <Button kind="quiet" size="small" onClick={onHelp}>
          <CircleHelp />
          {t.help} <kbd>?</kbd>
        </Button>
        {data && <span className={styles.version}>{t.server(data.version)}</span>}
      </div>
    </div>
  );
}
