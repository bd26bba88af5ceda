import { type User, UserManager } from 'oidc-client-ts';
import { useEffect, useState } from 'react';

/** Where the provider sends users back to; registered there. */
const page = `${window.location.origin}/`;

/** Signs in by authorization code with PKCE, keeps the tokens in the session storage, and renews them. */
export const users = new UserManager({
  authority: import.meta.env.VITE_ISSUER ?? 'http://127.0.0.1:8081',
  client_id: 'lectern-example',
  redirect_uri: page,
  post_logout_redirect_uri: page,
  scope: 'openid profile email',
});

/** Takes the code, where the provider has sent the user back with one. */
export async function finishSignIn(): Promise<User | null> {
  const search = new URLSearchParams(window.location.search);
  if (!search.has('code') && !search.has('error')) return users.getUser();
  window.history.replaceState(null, '', page);
  return users.signinRedirectCallback(`${page}?${search}`);
}

/** The user, until the tokens can be renewed no more. */
export function useUser(initial: User | null): User | null {
  const [user, setUser] = useState(initial);
  useEffect(() => {
    const ended = () => setUser(null);
    const stops = [users.events.addUserLoaded(setUser), users.events.addUserUnloaded(ended)];
    stops.push(users.events.addAccessTokenExpired(ended));
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  return user;
}
