import { CallError } from '../../../api/call-error';
import { useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { Dialog, DialogActions } from '../../../ui/dialog';
import { ScrollBox } from '../../../ui/scroll-box';
import { messages } from '../messages';
import styles from './judge.module.css';
import { JudgeFields } from './judge-fields';
import { type AnswerRef, useAnswer } from './use-answer';

/** Shows a question with its answer, and what a search should have found. */
export function JudgeDialog({ answer: ref, onClose }: { answer: AnswerRef; onClose: () => void }) {
  const t = useMessages(messages);
  const { answer, question, error, isPending, refetch } = useAnswer(ref);
  const isJudgeable = answer !== undefined && question !== undefined;
  return (
    <Dialog title={t.judge.title} isWide onClose={onClose}>
      {error && <CallError error={error} onRetry={refetch} />}
      {isPending && <p>{t.loading}</p>}
      {!isPending && !error && !isJudgeable && <p>{t.judge.noQuestion}</p>}
      {isJudgeable ? (
        <>
          <ScrollBox label={t.judge.talk} className={styles.talk}>
            <dl>
              <dt>{t.judge.question}</dt>
              <dd>{question}</dd>
              <dt>{t.judge.answer}</dt>
              <dd>{answer.content}</dd>
            </dl>
          </ScrollBox>
          <JudgeFields answer={{ ...ref, messageId: answer.id }} question={question} onClose={onClose} />
        </>
      ) : (
        <DialogActions>
          <Button onClick={onClose}>{t.rename.cancel}</Button>
        </DialogActions>
      )}
    </Dialog>
  );
}
