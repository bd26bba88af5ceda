import { useState } from 'react';
import { type Dictionary, useMessages } from '../language/language';
import { Button } from './button';

const COPIED_MS = 2_000;
const messages: Dictionary<{ copy: string; copied: string }> = {
  en: { copy: 'Copy', copied: 'Copied' },
  zh: { copy: '复制', copied: '已复制' },
};

/** Copies a text. Nothing where the browser does not let a page do that, as on plain http. */
export function CopyButton({ text }: { text: string }) {
  const t = useMessages(messages);
  const [isCopied, setCopied] = useState(false);
  if (!navigator.clipboard) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <Button onClick={copy} aria-live="polite">
      {isCopied ? t.copied : t.copy}
    </Button>
  );
}
