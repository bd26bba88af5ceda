import { type Dictionary, useFormat, useMessages } from '../language/language';

const messages: Dictionary<{ atLeast: (count: string) => string }> = {
  en: { atLeast: (count) => `≥ ${count}` },
  zh: { atLeast: (count) => `≥ ${count}` },
};

/** A number as it is shown, which may be more. */
export function useCountText() {
  const t = useMessages(messages);
  const format = useFormat();
  return ({ count, isLowerBound }: { count: number; isLowerBound: boolean }) =>
    isLowerBound ? t.atLeast(format.count(count)) : format.count(count);
}
