import { useMessages } from '../language/language';
import { Button } from '../ui/button';
import { ErrorNotice } from '../ui/notice';
import { messages } from './messages';

/** For a screen that threw, or whose scripts could not be loaded. */
export function ScreenError({ error }: { error: unknown }) {
  const t = useMessages(messages);
  return (
    <ErrorNotice>
      <h2>{t.broken.title}</h2>
      <p>{t.broken.text}</p>
      <p>
        <code>{error instanceof Error ? error.message : String(error)}</code>
      </p>
      <Button size="small" onClick={() => window.location.reload()}>
        {t.broken.reload}
      </Button>
    </ErrorNotice>
  );
}
