import { useScope } from '../../../api/scope';
import { useMessages } from '../../../language/language';
import { Dialog } from '../../../ui/dialog';
import { messages } from '../messages';
import { AddFiles } from './add-files';
import { AddText } from './add-text';

/** What is added: text where there are no files, not even an empty list of them. */
export interface Adding {
  files: File[] | undefined;
}

/** Where new documents go, if nothing else is said. */
export interface Destination {
  tenantId: string;
  unit: string;
}

interface AddDialogProps {
  adding: Adding;
  onClose: () => void;
}

/** Adds text or files. */
export function AddDialog({ adding: { files }, onClose }: AddDialogProps) {
  const t = useMessages(messages);
  const { tenantId, tenantUnitId = '' } = useScope();
  const destination = { tenantId, unit: tenantUnitId };
  return (
    <Dialog title={files ? t.add.files : t.add.text} onClose={onClose}>
      {files ? (
        <AddFiles initialFiles={files} destination={destination} onClose={onClose} />
      ) : (
        <AddText destination={destination} onClose={onClose} />
      )}
    </Dialog>
  );
}
