import MarkdownIt, { type Token } from 'markdown-it';
import { createElement, Fragment, type ReactElement, type ReactNode, useMemo } from 'react';
import { useMessages } from '../../language/language';
import { ScrollBox } from '../scroll-box';
import styles from './markdown.module.css';
import { markdownMessages } from './messages';
import { createTextPlaces } from './place-texts';

/** Longer texts, and those with more parts, would hold up the page: what is beyond stays as it is. */
const MAX_LENGTH = 100_000;
const MAX_TOKENS = 20_000;

/** HTML stays text. Links are judged when they are rendered. */
const parser = new MarkdownIt({ html: false, linkify: false });
parser.validateLink = () => true;
const SAFE_ADDRESS = /^(?:https?:\/\/|mailto:)/i;

/** Elements that are rendered as they are. */
const PLAIN = new Set('p ul li blockquote thead tbody tr em strong s'.split(' '));

interface RenderedMarkdownProps {
  text: string;
  /** The level that the greatest heading has on the page. */
  level: 3 | 4;
  /** Whether lines end where those of the text do. */
  breaks?: boolean;
  /** Renders a text within, from where it is in all of the text. The same function renders the same. */
  renderText?: (text: string, start: number) => ReactNode;
}

/**
 * Markdown of strangers as elements of React: nothing of it becomes HTML, pictures are links, and only addresses of the web and of mail can
 * be opened.
 */
export function RenderedMarkdown({ text, level, breaks = false, renderText }: RenderedMarkdownProps) {
  const { table } = useMessages(markdownMessages);
  return useMemo(() => {
    const end = text.length > MAX_LENGTH ? text.lastIndexOf('\n', MAX_LENGTH) : text.length;
    const head = text.slice(0, end > 0 ? end : MAX_LENGTH);
    const rest = text.slice(head.length);
    const tokens = parser.parse(head, {});
    const count = tokens.reduce((sum, { children }) => sum + 1 + (children?.length ?? 0), 0);
    if (count > MAX_TOKENS) return <p className={styles.plain}>{text}</p>;
    const show = { level, breaks, table, levels: [], renderText, places: createTextPlaces(head) };
    return (
      <div className={styles.markdown}>
        {renderTokens(tokens, show)}
        {rest && <p className={styles.plain}>{rest}</p>}
      </div>
    );
  }, [text, level, breaks, table, renderText]);
}

interface Show extends Required<Pick<RenderedMarkdownProps, 'level' | 'breaks'>> {
  table: string;
  /** Of the headings that the next one may be below. */
  levels: string[];
  renderText: RenderedMarkdownProps['renderText'];
  places: ReturnType<typeof createTextPlaces>;
}

/** The parser has an opening and a closing token for each element with others in it. */
function renderTokens(tokens: Token[], show: Show): ReactNode[] {
  const top: ReactNode[] = [];
  const open: { token: Token; children: ReactNode[] }[] = [];
  for (const [key, token] of tokens.entries()) {
    if (token.map) show.places.skipTo(...token.map);
    if (token.nesting > 0) {
      open.push({ token, children: [] });
      continue;
    }
    const closed = token.nesting < 0 ? open.pop() : undefined;
    const into = open.at(-1)?.children ?? top;
    into.push(
      <Fragment key={key}>
        {closed
          ? renderElement(closed.token, closed.children, show)
          : renderLeaf(token, show, open.some(isLink))}
      </Fragment>,
    );
  }
  return top;
}

function renderElement(token: Token, children: ReactNode[], show: Show): ReactNode {
  const { tag } = token;
  // A paragraph of a list whose items are close.
  if (token.hidden) return children;
  if (PLAIN.has(tag)) return createElement(tag, {}, children);
  if (token.type === 'heading_open') return createElement(`h${levelOf(tag, show)}`, {}, children);
  if (tag === 'a') {
    const address = attributeOf(token, 'href');
    return <ExternalLink address={address}>{children.length > 0 ? children : address}</ExternalLink>;
  }
  if (tag === 'ol') return <ol start={Number(token.attrGet('start') ?? 1)}>{children}</ol>;
  if (tag === 'th' || tag === 'td') return createElement(tag, { style: alignmentOf(token) }, children);
  if (tag !== 'table') return children;
  return (
    <ScrollBox label={show.table} className={styles.table}>
      <table>{children}</table>
    </ScrollBox>
  );
}

const isLink = ({ token }: { token: Token }) => token.tag === 'a';

function renderLeaf(token: Token, show: Show, isInLink: boolean): ReactNode {
  const { type, content } = token;
  if (type === 'inline') return renderTokens(token.children ?? [], show);
  if (type === 'hardbreak' || (type === 'softbreak' && show.breaks)) return <br />;
  if (type === 'softbreak') return '\n';
  if (type === 'hr') return <hr />;
  if (type === 'code_inline') return <code>{renderText(content, show)}</code>;
  if (type === 'fence' || type === 'code_block') {
    // Where it is in a list, its lines are indented in the source.
    const lines = content.replace(/\n$/, '').split('\n');
    return (
      <pre>
        <code>{lines.map((line, place) => [place > 0 && '\n', renderText(line, show)])}</code>
      </pre>
    );
  }
  if (type === 'image') {
    const address = attributeOf(token, 'src');
    // A link cannot have another one in it.
    return isInLink ? (
      content || address
    ) : (
      <ExternalLink address={address}>{content || address}</ExternalLink>
    );
  }
  return renderText(content, show);
}

const renderText = (text: string, show: Show): ReactNode =>
  show.renderText && text ? show.renderText(text, show.places.find(text)) : text;

/** Headings of a page leave out no level, whatever those of the text do. */
function levelOf(tag: string, { level, levels }: Show): number {
  while (levels.length > 0 && (levels.at(-1) ?? '') >= tag) levels.pop();
  levels.push(tag);
  return Math.min(6, level + levels.length - 1);
}

const attributeOf = (token: Token, name: string): string => String(token.attrGet(name) ?? '');

/** The parser writes it as a style. */
function alignmentOf(token: Token): { textAlign?: 'left' | 'center' | 'right' } {
  const found = /^text-align:(left|center|right)$/.exec(attributeOf(token, 'style'))?.[1];
  return found === undefined ? {} : { textAlign: found as 'left' | 'center' | 'right' };
}

function ExternalLink({ address, children }: { address: string; children: ReactNode }): ReactElement {
  if (!SAFE_ADDRESS.test(address)) return <>{children}</>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}
