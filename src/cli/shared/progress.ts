import { countOf, formatCount } from './format.js';
import { createRemainingTime } from './remaining-time.js';

const BAR_WIDTH = 30;
const REDRAW_MS = 100;
const LINE_MS = 5_000;
const CLEAR_LINE = '\r\x1b[K';

export interface ProgressStep {
  label: string;
  done: number;
  total: number;
  /** What is counted; a share alone is told where absent. */
  unit?: string | undefined;
}

export interface ProgressOptions {
  out: { write(text: string): unknown; isTTY?: boolean };
  now?: () => number;
}

/** Shows how far something is: a bar that is drawn again and again on a terminal, now and then a line elsewhere. */
export function createProgress({ out, now = () => performance.now() }: ProgressOptions) {
  let begun:
    | { label: string; at: number; done: number; remaining: ReturnType<typeof createRemainingTime> }
    | undefined;
  let shownAt = Number.NEGATIVE_INFINITY;
  let isOpen = false;

  return {
    update(step: ProgressStep): void {
      const isNew = begun?.label !== step.label;
      if (!begun || isNew) {
        finishLine();
        const start = { at: now(), done: step.done };
        begun = { ...start, label: step.label, remaining: createRemainingTime(start) };
      }
      const isDue = now() - shownAt >= (out.isTTY ? REDRAW_MS : LINE_MS);
      if (!isNew && !isDue && step.done < step.total) return;
      shownAt = now();
      const pace = describePace(step, { done: step.done - begun.done, ms: now() - begun.at });
      const left = begun.remaining(now(), step);
      const told = left ? `${pace}, ${left}` : pace;
      out.write(out.isTTY ? `${CLEAR_LINE}${drawBar(step)} ${told}` : `${step.label}: ${told}\n`);
      isOpen = out.isTTY === true;
    },
    /** Leaves the last state standing. */
    end: finishLine,
  };

  function finishLine(): void {
    if (isOpen) out.write('\n');
    isOpen = false;
  }
}

function drawBar({ label, done, total }: ProgressStep): string {
  const filled = Math.round(shareOf(done, total) * BAR_WIDTH);
  return `${label.padEnd(10)} [${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}]`;
}

function describePace({ done, total, unit }: ProgressStep, since: { done: number; ms: number }): string {
  const share = `${Math.floor(shareOf(done, total) * 100)}%`;
  const rate = since.ms > 0 ? since.done / since.ms : 0;
  return [
    unit ? `${share}, ${formatCount(done)} of ${countOf(total, unit)}` : share,
    ...(unit && rate > 0 ? [`${formatCount(Math.round(rate * 1_000))} a second`] : []),
  ].join(', ');
}

const shareOf = (done: number, total: number): number => (total > 0 ? Math.min(1, done / total) : 1);
