import type { PDFDocumentProxy } from 'pdfjs-dist';

/** Names that programs give, or that files have, tell nothing. */
const MEANINGLESS =
  /^(?:microsoft \w+ - |untitled|(?:document|presentation|unbenannt|无标题)\s*\d*$)|\.\w{2,5}$/i;
const FILE_NAME = /^[^\s\d_-]*[\d_-]\S*$/;

/** The title in the file's description of itself, if it is one. */
export async function readTitle(document: PDFDocumentProxy): Promise<string | undefined> {
  const { info } = await document.getMetadata().catch(() => ({ info: {} }));
  const title = 'Title' in info && typeof info.Title === 'string' ? info.Title.trim() : '';
  return title && !MEANINGLESS.test(title) && !FILE_NAME.test(title) ? title : undefined;
}
