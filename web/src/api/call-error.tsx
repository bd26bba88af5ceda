import { type Dictionary, useMessages } from '../language/language';
import { Button } from '../ui/button';
import { ErrorNotice } from '../ui/notice';
import { readFailure } from './errors';

const en = {
  noAnswer: 'The server does not answer. Is it running, and can this browser reach it?',
  forbidden: 'This is not permitted here.',
  outage: 'The server is up, but something that it needs is not. It usually passes.',
  tooMany: 'Too many requests in a short time. Wait a moment.',
  retry: 'Try again',
};
const zh: typeof en = {
  noAnswer: '服务器没有响应。它在运行吗？此浏览器能访问它吗？',
  forbidden: '此处没有权限执行该操作。',
  outage: '服务器在运行，但它依赖的某个服务不可用，通常很快会恢复。',
  tooMany: '短时间内请求过多，请稍候。',
  retry: '重试',
};
const messages: Dictionary<typeof en> = { en, zh };

/** Why a call failed, in the server's own words where it has some. */
export function CallError({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const t = useMessages(messages);
  const { status, sentences } = readFailure(error);
  const hint = hintOf(status, t);
  return (
    <ErrorNotice>
      {hint && <p>{hint}</p>}
      {status !== undefined && sentences.map((sentence) => <p key={sentence}>{sentence}</p>)}
      {onRetry && (
        <Button size="small" onClick={onRetry}>
          {t.retry}
        </Button>
      )}
    </ErrorNotice>
  );
}

function hintOf(status: number | undefined, t: typeof en): string | undefined {
  if (status === undefined) return t.noAnswer;
  if (status === 401 || status === 403) return t.forbidden;
  if (status === 429) return t.tooMany;
  return status >= 500 ? t.outage : undefined;
}
