import { useMessages } from '../../language/language';
import { PageHeader } from '../../ui/page-header';
import { PanelGrid } from '../../ui/panel';
import { BackupPanel } from './backup-panel';
import { DriftPanel } from './drift-panel';
import { IndexPanel } from './index-panel';
import { LimitsPanel } from './limits-panel';
import { messages } from './messages';
import { QueuePanel } from './queue-panel';

/** The queue, the search index, its drift and repair, backups, and limits in use. */
export function OperationsScreen() {
  const t = useMessages(messages);
  return (
    <>
      <PageHeader title={t.title} />
      <PanelGrid>
        <QueuePanel />
        <IndexPanel />
        <DriftPanel />
        <BackupPanel />
        <LimitsPanel />
      </PanelGrid>
    </>
  );
}
