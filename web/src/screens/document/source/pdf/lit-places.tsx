import type { PDFPageProxy } from 'pdfjs-dist';
import { useEffect, useState } from 'react';
import styles from '../../document.module.css';
import { findItems } from './find-items';

/** Where a stretch of text is on a page, as parts of its width and height. */
interface Place {
  left: number;
  top: number;
  width: number;
  height: number;
  text: string;
}

/** Lights up the text of a chunk on a page, as far as it is found there. */
export function LitPlaces({ page, text }: { page: PDFPageProxy; text: string }) {
  const [places, setPlaces] = useState<Place[]>([]);
  useEffect(() => {
    let isOver = false;
    readPlaces(page).then(
      (found) => !isOver && setPlaces(found),
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [page]);
  const lit = findItems(
    places.map((place) => place.text),
    text,
  );
  return (
    <div className={styles.litPlaces} aria-hidden="true">
      {lit.map((index) => {
        const { left, top, width, height } = places[index] as Place;
        return (
          <span
            key={index}
            style={{
              left: percent(left),
              top: percent(top),
              width: percent(width),
              height: percent(height),
            }}
          />
        );
      })}
    </div>
  );
}

async function readPlaces(page: PDFPageProxy): Promise<Place[]> {
  const { items } = await page.getTextContent();
  const viewport = page.getViewport({ scale: 1 });
  return items.flatMap((item) => {
    if (!('str' in item) || item.str.trim() === '') return [];
    const [a = 0, b = 0, , , x = 0, y = 0] = item.transform as number[];
    const size = Math.hypot(a, b) || item.height;
    const [x1 = 0, y1 = 0] = viewport.convertToViewportPoint(x, y - size * 0.2);
    const [x2 = 0, y2 = 0] = viewport.convertToViewportPoint(x + item.width, y + size * 0.85);
    return [
      {
        left: Math.min(x1, x2) / viewport.width,
        top: Math.min(y1, y2) / viewport.height,
        width: Math.abs(x2 - x1) / viewport.width,
        height: Math.abs(y2 - y1) / viewport.height,
        text: item.str,
      },
    ];
  });
}

const percent = (part: number) => `${(100 * part).toFixed(3)}%`;
