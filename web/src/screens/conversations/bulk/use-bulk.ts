import { readFailure } from '../../../api/errors';
import { useMessages } from '../../../language/language';
import { showToast } from '../../../ui/toast';
import { messages } from '../messages';
import { type Outcome, runSteps } from './run';
import { type Change, type Changed, changeInSteps, countOf, type Target, undoInSteps } from './steps';

/** Each is undone by a call of its own. */
export const MAX_UNDONE = 1_000;

/** Changes many conversations, and says what was done, with a way back where there is one. */
export function useBulk() {
  const t = useMessages(messages);

  const say = ({ skipped, why, isCut, error }: Outcome, done: string): string => {
    const { status, sentences } = readFailure(error);
    const failed = error === undefined ? [] : [t.bulk.failed((status && sentences[0]) || t.remove.noAnswer)];
    const left = skipped > 0 ? [t.bulk.skipped(skipped, why ?? t.bulk.tooManyLabels)] : [];
    return [done, ...(isCut ? [t.bulk.cut] : []), ...left, ...failed].join(' ');
  };
  const toneOf = ({ error }: Outcome) => (error === undefined ? 'neutral' : 'bad');

  const undo = async (changed: readonly Changed[], change: Change) => {
    const outcome = await runSteps(changed.length, undoInSteps(changed, change));
    showToast({ text: say(outcome, t.bulk.undone(outcome.changed.length)), tone: toneOf(outcome) });
  };

  return async function change(target: Target, what: Change): Promise<void> {
    const outcome = await runSteps(countOf(target), changeInSteps(target, what));
    const { changed } = outcome;
    const isUndoable = what.action !== 'delete' && changed.length > 0 && changed.length <= MAX_UNDONE;
    const done = what.action === 'delete' ? t.bulk.deleted(changed.length) : t.bulk.done(changed.length);
    showToast({
      text: say(outcome, done),
      tone: toneOf(outcome),
      isOfMany: true,
      ...(isUndoable && { action: { label: t.remove.undo, run: () => void undo(changed, what) } }),
    });
  };
}
