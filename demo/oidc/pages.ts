import { type DemoUser, describeUser } from './users.js';

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 26rem; margin: 3rem auto; padding: 0 1rem; }
form { display: grid; gap: 0.6rem; }
button { padding: 0.6rem 0.9rem; border: 1px solid light-dark(#ccd, #445); border-radius: 0.5rem;
  background: light-dark(#fff, #222a35); color: inherit; font: inherit; text-align: start; cursor: pointer; }
small { display: block; color: light-dark(#566, #abb); }
`;

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <style>${STYLE}</style>
  </head>
  <body><main><h1>${title}</h1>${content}</main></body>
</html>
`;

/** Whom to sign in as. It asks for no password: it is a demonstration. */
export const chooseUserPage = (users: readonly DemoUser[]): string =>
  page(
    'Sign in as',
    `<form method="post">${users
      .map(
        (user) => `
      <button name="user" value="${user.id}">${user.name}<small>${describeUser(user)}</small></button>`,
      )
      .join('')}
    </form>`,
  );

/** Asks whether to sign out. @param form of oidc-provider, whose buttons are outside of it */
export const signOutPage = (form: string): string =>
  page(
    'Sign out?',
    `${form}
    <button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out of the provider</button>
    <button type="submit" form="op.logoutForm">Stay signed in</button>`,
  );

export const signedOutPage = (): string => page('Signed out', '<p>You can close this page.</p>');

/** @param reason of oidc-provider, which may hold what the request had */
export const failurePage = (reason: string): string =>
  page('This does not work', `<p>${reason.replace(/[<>&]/g, '?')}</p>`);
