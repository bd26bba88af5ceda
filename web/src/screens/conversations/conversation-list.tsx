import { getRouteApi } from '@tanstack/react-router';
import { CallError } from '../../api/call-error';
import { useScope } from '../../api/scope';
import { queryClient } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/notice';
import { Pager } from '../../ui/pager';
import { SelectHead } from './bulk/select-head';
import { SelectionBar } from './bulk/selection-bar';
import { useSelection } from './bulk/use-selection';
import { ConversationItem } from './conversation-item';
import styles from './conversations.module.css';
import { messages } from './messages';
import { usePendingDeletions } from './pending-deletions';
import { isFiltered, readFilters } from './search-params';
import { pageOptions, useConversations } from './use-conversations';
import { useStepKeys } from './use-step-keys';

const route = getRouteApi('/conversations');

/** The conversations that fit the filters, a page of them. */
export function ConversationList() {
  const t = useMessages(messages);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const scope = useScope();
  const list = useConversations(search);
  const deleted = usePendingDeletions();
  const shown = list.data?.items.filter(({ id }) => !deleted.has(id)) ?? [];
  const name = JSON.stringify([scope.tenantId, scope.tenantUnitId, readFilters({ ...search }), search.page]);
  const selection = useSelection(shown, name);
  const totalCount = list.data?.totalCount ?? 0;
  const show = (changed: { page?: number; conversation?: string; message?: undefined }) =>
    navigate({
      search: (now) => {
        const { page = 1, ...others } = { ...now, ...changed };
        return { ...others, page: page > 1 ? page : undefined };
      },
    });
  const openOnOtherPage = async (step: 1 | -1) => {
    const page = (search.page ?? 1) + step;
    if (page < 1 || (step > 0 && !list.data?.hasNextPage)) return;
    const { items } = await queryClient.fetchQuery(pageOptions(scope, { ...search, page }));
    const other = step > 0 ? items[0] : items.at(-1);
    if (other) await show({ page, conversation: other.id, message: undefined });
  };
  const element = useStepKeys({
    list: name,
    items: shown,
    isOpened: ({ id }) => id === search.conversation,
    onOpen: ({ id }) => void show({ conversation: id, message: undefined }),
    onLeave: (step) => void openOnOtherPage(step),
  });
  return (
    <>
      {list.error && <CallError error={list.error} onRetry={list.refetch} />}
      {list.isPending && <p className={styles.soft}>{t.loading}</p>}
      {shown.length > 0 && (
        <>
          <SelectHead selection={selection} onPage={shown.length} totalCount={totalCount} />
          {selection.chosen.length > 0 && (
            <SelectionBar selection={selection} search={search} totalCount={totalCount} />
          )}
          <nav aria-label={t.list}>
            <ul ref={element} className={styles.list}>
              {shown.map((conversation) => (
                <ConversationItem
                  key={conversation.id}
                  conversation={conversation}
                  isOpened={conversation.id === search.conversation}
                  isChosen={selection.chosen.includes(conversation)}
                  onChoose={selection.toggle}
                />
              ))}
            </ul>
          </nav>
        </>
      )}
      {list.data && list.data.items.length > 0 && (
        <Pager list={list.data} onPage={(page) => show({ page })} />
      )}
      {list.data && shown.length === 0 && totalCount === 0 && <NoConversations />}
    </>
  );
}

function NoConversations() {
  const t = useMessages(messages);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const clear = () => navigate({ search: (now) => ({ ...now, ...readFilters(), page: undefined }) });
  return isFiltered(search) ? (
    <EmptyState title={t.empty.filtered}>
      <Button onClick={clear}>{t.empty.clear}</Button>
    </EmptyState>
  ) : (
    <EmptyState title={t.empty.title}>
      <p>{t.empty.text}</p>
    </EmptyState>
  );
}
