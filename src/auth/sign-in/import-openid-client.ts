/** Loads the library when somebody signs in by a provider. */
export const importOpenIdClient = () => import('openid-client');
