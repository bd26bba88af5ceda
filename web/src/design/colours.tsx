import { useLayoutEffect, useRef, useState } from 'react';
import styles from './design.module.css';

/** Text on what it stands on, by the names of their tokens. */
const PAIRS = [
  ['text', 'page'],
  ['text', 'surface'],
  ['soft', 'page'],
  ['soft', 'surface'],
  ['soft', 'raised'],
  ['accent', 'surface'],
  ['accent', 'accent-surface'],
  ['on-accent', 'accent'],
  ['good', 'good-surface'],
  ['busy', 'busy-surface'],
  ['bad', 'bad-surface'],
  ['text', 'mark'],
] as const;
/** What WCAG 2.2 asks for of text, in level AA. */
const ENOUGH = 4.5;

/** Every pair of colours, with its contrast in the theme of the page. */
export function Colours({ theme }: { theme: string }) {
  return (
    <ul className={styles.colours}>
      {PAIRS.map(([text, ground]) => (
        <Pair key={`${text} ${ground} ${theme}`} text={text} ground={ground} />
      ))}
    </ul>
  );
}

function Pair({ text, ground }: { text: string; ground: string }) {
  const ref = useRef<HTMLLIElement>(null);
  const [contrast, setContrast] = useState<number>();
  useLayoutEffect(() => {
    if (!ref.current) return;
    const { color, backgroundColor } = getComputedStyle(ref.current);
    setContrast(contrastOf(luminanceOf(color), luminanceOf(backgroundColor)));
  }, []);
  return (
    <li ref={ref} style={{ color: `var(--${text})`, background: `var(--${ground})` }}>
      {text} on {ground}
      <br />
      {contrast?.toFixed(2)} {contrast !== undefined && contrast < ENOUGH && '(too little)'}
    </li>
  );
}

const contrastOf = (one: number, other: number): number =>
  (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

/** The relative luminance of a colour such as `rgb(1, 2, 3)`, from 0 to 1: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((text) => {
    const part = Number(text) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
