import { skipToken, useQuery } from '@tanstack/react-query';
import { usePermission } from '../../api/permission-gate';
import { trpc } from '../../api/trpc';
import { nameOf } from '../../common/documents/document-name';

const MAX_WORDS = 8;
/** Of Chinese, which has no spaces. */
const MAX_LENGTH = 40;
const ENDING = /\.\w{1,5}$/;
const SIGNS = /[#*_`>|[\]()-]+/g;

/**
 * A question that the newest document answers: its name, where its text begins with that, else how its text begins.
 *
 * @returns undefined while it is not known, and where there is no such document
 */
export function useExample(scope: {
  tenantId: string;
  tenantUnitId: string | undefined;
}): string | undefined {
  const readsChunks = usePermission('chunks:read') === true;
  const list = useQuery(trpc.documents.list.queryOptions({ scope, statuses: ['ready'], pageSize: 1 }));
  const [newest] = list.data?.items ?? [];
  const chunks = useQuery(
    trpc.chunks.list.queryOptions(
      newest && readsChunks ? { scope, documentId: newest.id, pageSize: 1 } : skipToken,
    ),
  );
  if (!newest) return undefined;
  const name = plain(nameOf(newest).replace(ENDING, ''));
  const text = plain(chunks.data?.items[0]?.content ?? '');
  if (text === '' || text.toLowerCase().includes(name.toLowerCase())) return name;
  return text.split(' ').slice(0, MAX_WORDS).join(' ').slice(0, MAX_LENGTH);
}

const plain = (text: string) => text.replace(SIGNS, ' ').replace(/\s+/g, ' ').trim();
