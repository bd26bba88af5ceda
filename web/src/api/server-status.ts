import { queryOptions } from '@tanstack/react-query';

/** By which people sign in. */
export interface Provider {
  id: string;
  name: string;
  issuer: string;
  /** Where to begin. */
  url: string;
}

/** What the server says of itself at its address. */
export interface ServerStatus {
  version: string;
  needsKey: boolean;
  /** Absent where nobody signs in by a provider. */
  signIn?: Provider[];
}

/** Version of the server, and whether it needs a key; answered to anybody. */
export const serverStatus = queryOptions({
  queryKey: ['server-status'],
  queryFn: async ({ signal }): Promise<ServerStatus> => {
    const answer = await fetch('/', { headers: { accept: 'application/json' }, signal });
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    return answer.json();
  },
  staleTime: Number.POSITIVE_INFINITY,
});
