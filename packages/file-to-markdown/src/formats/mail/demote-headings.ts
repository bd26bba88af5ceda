const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Markdown with its headings some levels lower, to stand below another. */
export function demoteHeadings(markdown: string, levels: number): string {
  let fence: string | undefined;
  return markdown
    .split('\n')
    .map((line) => {
      const mark = FENCE.exec(line)?.[1];
      if (mark && !fence) fence = mark;
      else if (fence && mark?.startsWith(fence)) fence = undefined;
      return fence
        ? line
        : line.replace(/^(#{1,6})(?=\s)/, (marks) => '#'.repeat(Math.min(6, marks.length + levels)));
    })
    .join('\n');
}
