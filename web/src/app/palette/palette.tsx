import { Fragment, useState } from 'react';
import { useMessages } from '../../language/language';
import { Combobox } from '../../ui/combobox';
import { Dialog } from '../../ui/dialog';
import { messages } from './messages';
import styles from './palette.module.css';
import { type Command, useCommands } from './use-commands';
import { useFound } from './use-found';

/** What the server is asked for at most. */
const MAX_LENGTH = 200;

interface PaletteProps {
  onHelp: () => void;
  onClose: () => void;
}

/** Goes to a screen, a document, a conversation or a tenant by its name, or does something, by the keyboard alone. */
export function Palette({ onHelp, onClose }: PaletteProps) {
  const t = useMessages(messages);
  const [text, setText] = useState('');
  const { screens, actions } = useCommands(text.trim(), onHelp);
  const { isSearching, ...found } = useFound(text.trim());
  const toChoice = ({ key, Icon, name, keys, detail, run }: Command) => ({
    key,
    content: (
      <span className={styles.command}>
        <Icon />
        <span className={styles.name}>{name}</span>
        {detail && <small>{detail}</small>}
        {keys && (
          <small>
            <Keys keys={keys} />
          </small>
        )}
      </span>
    ),
    onChoose: () => {
      onClose();
      run();
    },
  });
  const groups = [
    { title: t.screens, commands: screens },
    { title: t.documents, commands: found.documents },
    { title: t.conversations, commands: found.conversations },
    { title: t.datasets, commands: found.datasets },
    { title: t.actions, commands: actions },
    { title: t.tenants, commands: found.tenants },
  ].map(({ title, commands }) => ({ title, choices: commands.map(toChoice) }));
  return (
    <Dialog isBare title={t.title} onClose={onClose}>
      <Combobox
        isInline
        autoFocus
        label={t.field}
        placeholder={t.field}
        value={text}
        onValue={setText}
        groups={groups}
        empty={isSearching ? t.searching : t.empty}
        maxLength={MAX_LENGTH}
      />
      <p className={styles.hints}>
        {Object.entries(t.hints).map(([keys, what]) => (
          <span key={keys}>
            <Keys keys={keys} /> {what}
          </span>
        ))}
      </p>
    </Dialog>
  );
}

/** Keys that are pressed one after the other, or either. */
const Keys = ({ keys }: { keys: string }) =>
  keys.split(' ').map((key, place) => (
    <Fragment key={key}>
      {place > 0 && ' '}
      <kbd>{key}</kbd>
    </Fragment>
  ));
