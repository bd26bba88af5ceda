import { useQuery } from '@tanstack/react-query';
import { serverStatus } from '../api/server-status';
import { languages, useLanguage, useMessages } from '../language/language';
import { Select } from '../ui/field';
import { type Density, densities, useDensity } from './density';
import { messages } from './messages';
import styles from './shell.module.css';
import { type Theme, themes, useTheme } from './theme';

/** How the console looks, and the version of its server. */
export function SettingsFields() {
  const t = useMessages(messages);
  const { language, setLanguage } = useLanguage();
  const [theme, setTheme] = useTheme();
  const [density, setDensity] = useDensity();
  const { data } = useQuery(serverStatus);
  return (
    <>
      <Select
        label={t.theme}
        value={theme}
        options={themes.map((value) => ({ value, text: t.themes[value] }))}
        onChange={(event) => setTheme(event.target.value as Theme)}
      />
      <Select
        label={t.language}
        value={language}
        options={languages.map((value) => ({ value, text: t.languages[value] }))}
        onChange={(event) => setLanguage(event.target.value as (typeof languages)[number])}
      />
      <Select
        label={t.density}
        value={density}
        options={densities.map((value) => ({ value, text: t.densities[value] }))}
        onChange={(event) => setDensity(event.target.value as Density)}
      />
      {data && <p className={styles.version}>{t.server(data.version)}</p>}
    </>
  );
}
