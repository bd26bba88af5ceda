import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { CallError } from '../../../api/call-error';
import { trpc } from '../../../api/trpc';
import { useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { DialogActions } from '../../../ui/dialog';
import { Form } from '../../../ui/form';
import { SubmitButton, useReasons } from '../../../ui/submit-button';
import { SuggestionField } from '../../../ui/suggestion-field';
import { showToast } from '../../../ui/toast';
import { messages } from '../messages';
import { ChoosePassages, type Judged } from './choose-passages';
import type { AnswerRef } from './use-answer';

interface JudgeFieldsProps {
  answer: AnswerRef & { messageId: string };
  question: string;
  onClose: () => void;
}

/** The passages that a search should find, and the collection that the question is added to. */
export function JudgeFields({ answer, question, onClose }: JudgeFieldsProps) {
  const t = useMessages(messages);
  const reasons = useReasons();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { scope } = answer;
  const collections = useQuery(trpc.evaluations.list.queryOptions({ scope }));
  const [typed, setTyped] = useState<string>();
  const [judged, setJudged] = useState<Judged>();
  const collection = typed ?? collections.data?.[0]?.collection ?? t.judge.initial;
  const add = useMutation(
    trpc.evaluations.addFromMessage.mutationOptions({
      onSuccess: ({ collection: added }) => {
        void queryClient.invalidateQueries({ queryKey: trpc.evaluations.pathKey() });
        const search = { tenant: scope.tenantId, unit: scope.tenantUnitId, collection: added };
        showToast({
          text: t.judge.added(added),
          action: {
            label: t.judge.see,
            run: () => void navigate({ to: '/search', search: { ...search, view: 'collections' } }),
          },
        });
        onClose();
      },
    }),
  );
  const reason = !judged
    ? t.judge.passages
    : collection.trim() === ''
      ? reasons.missing(t.judge.collection)
      : undefined;
  return (
    <>
      <ChoosePassages scope={scope} question={question} onChange={setJudged} />
      <Form onSubmit={() => judged && add.mutate({ ...answer, ...judged, collection: collection.trim() })}>
        <SuggestionField
          label={t.judge.collection}
          value={collection}
          required
          maxLength={100}
          suggestions={(collections.data ?? []).map((one) => ({ value: one.collection }))}
          onChange={(event) => setTyped(event.target.value)}
        />
        {add.error && <CallError error={add.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t.rename.cancel}</Button>
          <SubmitButton kind="primary" disabled={add.isPending} reason={reason}>
            {t.judge.add}
          </SubmitButton>
        </DialogActions>
      </Form>
    </>
  );
}
