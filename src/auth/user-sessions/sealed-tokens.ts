import { seal, unseal } from '../sign-in/seal.js';

/** What a session keeps of the provider: to ask it again, and to sign out there. */
export interface SessionTokens {
  refreshToken: string | null;
  idToken: string;
}

/** Only the secret of the session opens them: the database has its hash alone. */
export const sealTokens = ({ refreshToken, idToken }: SessionTokens, id: string, secret: string): Buffer =>
  seal(JSON.stringify([refreshToken, idToken]), secret, purposeOf(id));

export function unsealTokens(sealed: Buffer, id: string, secret: string): SessionTokens | undefined {
  const text = unseal(sealed, secret, purposeOf(id));
  if (text === undefined) return undefined;
  const [refreshToken, idToken] = JSON.parse(text) as [string | null, string];
  return { refreshToken, idToken };
}

const purposeOf = (id: string): string => `tokens of the session ${id}`;
