import { useState } from 'react';
import { usePermission } from '../../../api/permission-gate';
import { useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { messages } from '../messages';
import { JudgeDialog } from './judge-dialog';
import type { AnswerRef } from './use-answer';

/** Makes a judged question of what was asked before an answer, for who may. */
export function JudgeButton({ answer, size }: { answer: AnswerRef; size?: 'small' }) {
  const t = useMessages(messages);
  const mayJudge = [usePermission('documents:write'), usePermission('search')].every(Boolean);
  const [isOpen, setOpen] = useState(false);
  if (!mayJudge) return null;
  return (
    <>
      <Button size={size} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t.judge.button}
      </Button>
      {isOpen && <JudgeDialog answer={answer} onClose={() => setOpen(false)} />}
    </>
  );
}
