import { lazy, Suspense } from 'react';
import { useMessages } from '../../language/language';
import { SecretDialog } from '../../ui/secret-dialog';
import { TimeIn } from '../../ui/time';
import { messages } from './messages';
import type { KeyReach } from './use-key';

const UseKey = lazy(() => import('./use-key').then(({ UseKey }) => ({ default: UseKey })));

/** A key with its secret, which is kept nowhere but on the screen. */
export interface Issued {
  name: string;
  key: string;
  /** Until when the key that it takes the place of is valid. */
  formerUntil?: string | undefined;
  reach: KeyReach;
}

export function IssuedDialog({ issued, onClose }: { issued: Issued; onClose: () => void }) {
  const t = useMessages(messages);
  const { name, key, formerUntil, reach } = issued;
  return (
    <SecretDialog
      title={t.secret.title(name)}
      text={t.secret.text}
      label={t.secret.label}
      secret={key}
      done={t.secret.done}
      onClose={onClose}
    >
      {formerUntil !== undefined && (
        <p>
          {Date.parse(formerUntil) > Date.now() ? (
            <TimeIn iso={formerUntil} say={t.secret.former} />
          ) : (
            t.secret.formerEnded
          )}
        </p>
      )}
      <Suspense>
        <UseKey apiKey={key} reach={reach} />
      </Suspense>
    </SecretDialog>
  );
}
