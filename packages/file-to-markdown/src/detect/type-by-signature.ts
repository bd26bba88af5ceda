import type { SubType } from '../types.js';

const PAGE_START =
  /^(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).){0,1000}-->\s*)*<(?:!doctype html|html|head|body)[\s>]/is;
const HEADERS = /^(?:[\w-]+:[^\n]*\n(?:[ \t][^\n]*\n)*)+/;
const MAIL_HEADER = /^(?:From|To|Subject|Date|Received|Message-ID|MIME-Version|Return-Path):/gim;
/** A workbook as XML, which Excel 2003 and many programs that export tables write, often with the ending xls. */
const XML_WORKBOOK = /<(?:ss:)?Workbook\s[^<>]*urn:schemas-microsoft-com:office:spreadsheet/;
/** What begins each message of a mailbox file (RFC 4155). */
const MAILBOX_LINE = /^From \S+ +(?:\w{3} ){2} *\d{1,2} [\d:]{5,8} (?=.*\d{4}).*\n/;

/** Detects the type of a text by its signature. */
export function typeBySignature(head: string): SubType | undefined {
  if (head.startsWith('{\\rtf')) return 'rtf';
  if (PAGE_START.test(head)) return 'html';
  if (/^(?:<\?xml\s|<!doctype\s+\w)/i.test(head)) return XML_WORKBOOK.test(head) ? 'xls' : 'xml';
  if (isMail(head)) return 'eml';
  return undefined;
}

/** A mailbox, or at least two of the headers that only mail has, among header lines from the first line on. */
function isMail(head: string): boolean {
  if (MAILBOX_LINE.test(head)) return true;
  const headers = HEADERS.exec(head.replaceAll('\r', ''))?.[0] ?? '';
  const mailHeaders = headers.match(MAIL_HEADER)?.length ?? 0;
  return mailHeaders >= 2 && /^(?:From|Received|MIME-Version):/im.test(headers);
}
