export { decodeStream, decodeText } from './decode/decode-text.js';
export { detectType } from './detect/detect-type.js';
export { FileError, ParseError } from './errors.js';
export {
  type FileToMarkdownOptions,
  type FileWarning,
  fileToMarkdown,
  type MarkdownFile,
} from './file-to-markdown.js';
export { recognizedText } from './formats/picture/recognized-text.js';
export { parse } from './parse.js';
export { cleanText } from './shared/text/normalize-text.js';
export { type SourceBytes, sourceFromBuffer, sourceFromFile } from './source-bytes.js';
export { TextBudget } from './text-budget.js';
export type {
  EncodedPicture,
  GrayPicture,
  ParsedDocument,
  ParsedPage,
  ParseInput,
  Picture,
  RecognizeAlso,
  SubType,
  Warn,
  WarningPlace,
} from './types.js';
export { type WarningCode, warningCodes } from './warning-codes.js';
