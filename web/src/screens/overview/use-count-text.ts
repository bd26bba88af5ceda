import { useFormat, useMessages } from '../../language/language';
import { messages } from './messages';
import type { Count } from './use-overview';

/** A number as it is shown, which may be more. */
export function useCountText() {
  const t = useMessages(messages);
  const format = useFormat();
  return ({ count, isLowerBound }: Count) =>
    isLowerBound ? t.atLeast(format.count(count)) : format.count(count);
}
