import { getRouteApi } from '@tanstack/react-router';
import { PermissionGate } from '../../api/permission-gate';
import { useMessages } from '../../language/language';
import { messages } from './messages';
import { Webhook } from './webhook';
import { WebhookList } from './webhook-list';

const route = getRouteApi('/webhooks');

/** All webhooks, or the one that is chosen with its deliveries. */
export function WebhooksScreen() {
  const t = useMessages(messages);
  const { webhook } = route.useSearch();
  return (
    <PermissionGate permission="keys:admin" title={t.title}>
      {webhook === undefined ? <WebhookList /> : <Webhook key={webhook} webhookId={webhook} />}
    </PermissionGate>
  );
}
