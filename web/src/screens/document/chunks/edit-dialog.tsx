import { lazy, Suspense, useDeferredValue, useState } from 'react';
import { CallError } from '../../../api/call-error';
import { useFormat, useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { Dialog, DialogActions } from '../../../ui/dialog';
import { DiscardDialog } from '../../../ui/discard-dialog';
import { TextArea, TextField } from '../../../ui/field';
import { Form } from '../../../ui/form';
import { ErrorNotice } from '../../../ui/notice';
import { ScrollBox } from '../../../ui/scroll-box';
import { SubmitButton, useReasons } from '../../../ui/submit-button';
import styles from '../document.module.css';
import { messages } from '../messages';
import type { OneDocument } from '../use-document';
import { useChunkEditor } from './use-chunk-editor';
import type { Chunk } from './use-chunks';

const TextDiff = lazy(() => import('./text-diff'));

/** As the server has it. */
const MAX_LENGTH = 32_768;

interface EditDialogProps {
  document: OneDocument;
  chunk: Chunk;
  onClose: () => void;
}

/** Edits text and keywords of a chunk, and shows how they differ from what was split off. */
export function EditDialog({ document, chunk: opened, onClose }: EditDialogProps) {
  const t = useMessages(messages);
  const reasons = useReasons();
  const { count } = useFormat();
  const editor = useChunkEditor(document, opened, onClose);
  const { chunk, content, theirs } = editor;
  // Null where it was edited before originals were kept.
  const original = chunk.edited ? chunk.originalContent : chunk.content;
  const compared = useDeferredValue(content);
  const reason = theirs ? t.edit.undecided : editor.isChanged ? undefined : reasons.unchanged;
  const [isLeaving, setLeaving] = useState(false);
  const ask = () => setLeaving(true);
  return (
    <>
      <Dialog
        isWide
        isKept={editor.isChanged}
        onKept={ask}
        title={t.edit.title(t.chunk.name(count(chunk.ordinal + 1)))}
        onClose={onClose}
      >
        <Form onSubmit={editor.save}>
          <TextArea
            label={t.edit.content}
            value={content}
            required
            rows={10}
            maxLength={MAX_LENGTH}
            onChange={(event) => editor.setContent(event.target.value)}
          />
          <TextField
            label={t.edit.keywords}
            hint={t.edit.keywordsHint}
            value={editor.keywords}
            onChange={(event) => editor.setKeywords(event.target.value)}
          />
          {original === null && <p className={styles.soft}>{t.edit.originalUnknown}</p>}
          {original !== null && original !== compared && (
            <div className={styles.compared}>
              <h3>{t.edit.changes}</h3>
              <Suspense fallback={<p className={styles.soft}>{t.loading}</p>}>
                <TextDiff before={original} after={compared} />
              </Suspense>
            </div>
          )}
          {theirs && (
            <ErrorNotice>
              <p>{t.edit.overtaken}</p>
              <ScrollBox label={t.edit.theirs} className={styles.theirs}>
                {theirs.content}
              </ScrollBox>
              <div className={styles.buttons}>
                <Button size="small" onClick={editor.keepMine}>
                  {t.edit.keepMine}
                </Button>
                <Button size="small" onClick={editor.takeTheirs}>
                  {t.edit.takeTheirs}
                </Button>
              </div>
            </ErrorNotice>
          )}
          {editor.error && <CallError error={editor.error} />}
          <DialogActions>
            {chunk.edited && chunk.originalContent !== null && (
              <Button className={styles.aside} disabled={editor.isSaving} onClick={editor.restore}>
                {t.edit.restore}
              </Button>
            )}
            <Button onClick={editor.isChanged ? ask : onClose}>{t.edit.cancel}</Button>
            <SubmitButton kind="primary" disabled={editor.isSaving} reason={reason}>
              {t.edit.save}
            </SubmitButton>
          </DialogActions>
        </Form>
      </Dialog>
      {isLeaving && <DiscardDialog onDiscard={onClose} onKeep={() => setLeaving(false)} />}
    </>
  );
}
