import { Download, Plus, RotateCcw, Trash2 } from 'lucide-react';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { densities, useDensity } from '../app/density';
import { themes, useTheme } from '../app/theme';
import { LanguageProvider } from '../language/language';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Dialog, DialogActions } from '../ui/dialog';
import { Select, TextField } from '../ui/field';
import { EmptyState, ErrorNotice, Notice } from '../ui/notice';
import { Panel, PanelGrid, Stat, Stats } from '../ui/panel';
import { SubmitButton } from '../ui/submit-button';
import { Switch } from '../ui/switch';
import { Tabs } from '../ui/tabs';
import { Time } from '../ui/time';
import { showToast, Toasts } from '../ui/toast';
import { Colours } from './colours';
import styles from './design.module.css';
import '@fontsource-variable/inter';
import '../ui/tokens.css';
import '../ui/base.css';

/* What screens are made of, on one page of the development server: `npx vite web`, then /design. */

const SIZES = ['xl', 'l', 'm', 's', 'xs'] as const;
const TONES = ['neutral', 'good', 'busy', 'warning', 'bad'] as const;
const KINDS = ['primary', 'plain', 'quiet', 'danger'] as const;

function Design() {
  const [theme, setTheme] = useTheme();
  const [density, setDensity] = useDensity();
  const [tab, setTab] = useState<'one' | 'two'>('one');
  const [isOpen, setOpen] = useState(false);
  const [isOn, setOn] = useState(true);
  return (
    <main className={styles.page}>
      <h1>Design of the console</h1>
      <div className={styles.row}>
        <Select
          label="Theme"
          value={theme}
          options={themes.map((value) => ({ value, text: value }))}
          onChange={(event) => setTheme(event.target.value as typeof theme)}
        />
        <Select
          label="Rows"
          value={density}
          options={densities.map((value) => ({ value, text: value }))}
          onChange={(event) => setDensity(event.target.value as typeof density)}
        />
      </div>
      <PanelGrid>
        <Panel title="Type" isWide>
          {SIZES.map((size) => (
            <p key={size} style={{ fontSize: `var(--text-${size})` }}>
              {size}: The deposit is paid back within thirty days. 押金将在三十天内退还。
            </p>
          ))}
        </Panel>
        <Panel title="Colours and their contrast" isWide>
          <Colours theme={theme} />
        </Panel>
        <Panel title="Buttons">
          <div className={styles.row}>
            {KINDS.map((kind) => (
              <Button key={kind} kind={kind}>
                <Plus />
                {kind}
              </Button>
            ))}
          </div>
          <div className={styles.row}>
            {KINDS.map((kind) => (
              <Button key={kind} kind={kind} size="small">
                <RotateCcw />
                {kind}
              </Button>
            ))}
            <Button size="icon" aria-label="Delete">
              <Trash2 />
            </Button>
            <Button disabled>
              <Download />
              disabled
            </Button>
          </div>
          <div className={styles.row}>
            <SubmitButton kind="primary" reason="No changes yet">
              Save
            </SubmitButton>
          </div>
        </Panel>
        <Panel title="Fields">
          <TextField label="Name" defaultValue="contract.pdf" hint="As people call it" />
          <TextField label="Address" defaultValue="no address" fault="This is not an address." />
          <Switch label="Enabled" checked={isOn} onChange={() => setOn(!isOn)} />
        </Panel>
        <Panel title="States">
          <div className={styles.row}>
            {TONES.map((tone) => (
              <Badge key={tone} tone={tone}>
                {tone}
              </Badge>
            ))}
          </div>
          <Notice>A notice</Notice>
          <ErrorNotice>An error</ErrorNotice>
          <Stats>
            <Stat name="Documents">1,204</Stat>
            <Stat name="Last change">
              <Time iso={new Date(Date.now() - 300_000).toISOString()} />
            </Stat>
          </Stats>
        </Panel>
        <Panel title="Tabs, dialogs, toasts">
          <Tabs
            label="Tabs"
            value={tab}
            tabs={[
              { value: 'one', text: 'One' },
              { value: 'two', text: 'Two' },
            ]}
            onChange={setTab}
          >
            <p>{tab}</p>
          </Tabs>
          <div className={styles.row}>
            <Button onClick={() => setOpen(true)}>Open a dialog</Button>
            <Button
              onClick={() => showToast({ text: 'Deleted.', action: { label: 'Undo', run: () => undefined } })}
            >
              Show a toast
            </Button>
          </div>
          <EmptyState title="Nothing here yet">
            <p>What to do next.</p>
          </EmptyState>
        </Panel>
      </PanelGrid>
      {isOpen && (
        <Dialog title="A dialog" onClose={() => setOpen(false)}>
          <DialogActions>
            <Button onClick={() => setOpen(false)}>Close</Button>
          </DialogActions>
        </Dialog>
      )}
      <Toasts />
    </main>
  );
}

const root = document.getElementById('design');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <LanguageProvider>
        <Design />
      </LanguageProvider>
    </StrictMode>,
  );
}
