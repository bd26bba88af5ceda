const FENCE = '```';

/** A text without the code fence that some models put around all of it, whatever they are told. */
export function stripCodeFence(text: string): string {
  const trimmed = text.trim();
  const endOfFirstLine = trimmed.indexOf('\n');
  if (endOfFirstLine < 0 || !trimmed.startsWith(FENCE) || !trimmed.endsWith(FENCE)) return text;
  const language = trimmed.slice(FENCE.length, endOfFirstLine).trim().toLowerCase();
  const inside = trimmed.slice(endOfFirstLine + 1, -FENCE.length);
  if (language === 'markdown' || language === 'md') return inside;
  // Otherwise the page may itself begin and end with code.
  return language === '' && !inside.includes(FENCE) ? inside : text;
}
