import { useState } from 'react';
import { useMessages } from '../../language/language';
import { Select, TextField } from '../../ui/field';
import styles from './keys.module.css';
import { keyMessages } from './messages';
import type { OwnKey } from './use-refresh-keys';

/** Without either a key ends as the one that made it does, or never. */
export interface Expiry {
  expiresIn?: string;
  expiresTime?: string;
}

const LIFETIMES = ['1d', '30d', '90d', '365d'] as const;
const AT_A_TIME = 'time';

interface ExpiryFieldsProps {
  own: OwnKey | undefined;
  expiry: Expiry;
  onChange: (expiry: Expiry) => void;
}

/** When a key ends. */
export function ExpiryFields({ own, expiry, onChange }: ExpiryFieldsProps) {
  const t = useMessages(keyMessages);
  const [isAtTime, setAtTime] = useState(false);
  const choose = (value: string) => {
    setAtTime(value === AT_A_TIME);
    onChange(value === '' || value === AT_A_TIME ? {} : { expiresIn: value });
  };
  return (
    <div className={styles.expiry}>
      <Select
        label={t.expires}
        value={isAtTime ? AT_A_TIME : (expiry.expiresIn ?? '')}
        options={[
          ...LIFETIMES.map((value) => ({ value, text: t.lifetimes[value] })),
          { value: '', text: own?.expiresTime ? t.likeOwn : t.noExpiry },
          { value: AT_A_TIME, text: t.onDay },
        ]}
        onChange={(event) => choose(event.target.value)}
      />
      {isAtTime && (
        <TextField
          label={t.time}
          type="datetime-local"
          required
          onChange={({ target: { value } }) =>
            onChange(value === '' ? {} : { expiresTime: new Date(value).toISOString() })
          }
        />
      )}
    </div>
  );
}
