import { useEffect } from 'react';
import { createChoice } from '../create-choice';
import { createStore } from '../store';
import type { RenderedMarkdown } from './rendered-markdown';

export const markdownViews = ['rendered', 'source'] as const;

/** How Markdown is shown, and how to change it. */
export const useMarkdownView = createChoice('markdown', markdownViews);

/** Null where it could not be loaded. */
const component = createStore<{ loaded?: typeof RenderedMarkdown | null }>({});
let isLoading = false;

interface MarkdownState {
  /** Whether it is known how Markdown is shown. What keeps its place while it is scrolled waits for this. */
  isReady: boolean;
  /** Renders Markdown; undefined where its source is shown. */
  Rendered: typeof RenderedMarkdown | undefined;
}

/** The component that renders Markdown, which is loaded when it is needed first. */
export function useMarkdown(): MarkdownState {
  const [view] = useMarkdownView();
  const { loaded } = component.use();
  const isWanted = view === 'rendered';
  useEffect(() => {
    if (isWanted) void load();
  }, [isWanted]);
  return isWanted
    ? { isReady: loaded !== undefined, Rendered: loaded ?? undefined }
    : { isReady: true, Rendered: undefined };
}

async function load(): Promise<void> {
  if (isLoading) return;
  isLoading = true;
  component.set({
    loaded: await import('./rendered-markdown').then(
      ({ RenderedMarkdown }) => RenderedMarkdown,
      () => null,
    ),
  });
}
