import type { User } from 'oidc-client-ts';
import { Conversations } from './conversations';
import { queryClient } from './lectern';
import { users, useUser } from './users';

/** Asks to sign in, or shows what the user may see. */
export function Page({ signedIn }: { signedIn: User | null }) {
  const user = useUser(signedIn);
  if (!user) {
    return (
      <button type="button" onClick={() => users.signinRedirect()}>
        Sign in
      </button>
    );
  }
  const signOut = () => {
    queryClient.clear();
    return users.signoutRedirect();
  };
  return (
    <>
      <p>
        {user.profile.name ?? user.profile.sub}{' '}
        <button type="button" onClick={signOut}>
          Sign out
        </button>
      </p>
      <Conversations />
    </>
  );
}
