import { queryOptions } from '@tanstack/react-query';

/** What the server says of itself at its address. */
export interface ServerStatus {
  version: string;
  needsKey: boolean;
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
