import { isAscii } from 'node:buffer';
import type { FieldsData } from '@kenjiuno/msgreader';
import { decodeText } from '../../decode/decode-text.js';
import { corruptFileError } from '../../errors.js';
import { type Attachment, formatAddress, type Mail } from './mail.js';
import { openMsg } from './open-msg.js';

/** Fields of appointments, contacts and tasks, in the order in which people read them. */
const DETAILS: [label: string, field: keyof FieldsData][] = [
  ['Start', 'apptStartWhole'],
  ['End', 'apptEndWhole'],
  ['Location', 'apptLocation'],
  ['Name', 'name'],
  ['Position', 'title'],
  ['Department', 'departmentName'],
  ['Company', 'companyName'],
  ['Email', 'email1EmailAddress'],
  ['Business phone', 'businessTelephoneNumber'],
  ['Mobile phone', 'mobileTelephoneNumber'],
  ['Home phone', 'homeTelephoneNumber'],
  ['Address', 'postalAddress'],
  ['Website', 'businessHomePage'],
];
/** Windows code pages whose number is not a part of their name elsewhere. */
const CODE_PAGES: Record<number, string> = {
  65001: 'utf-8',
  20127: 'windows-1252',
  28591: 'iso-8859-1',
  28592: 'iso-8859-2',
  20866: 'koi8-r',
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  54936: 'gb18030',
  50220: 'iso-2022-jp',
  51932: 'euc-jp',
  51949: 'euc-kr',
};

/** Reads a message as Outlook saves it ([MS-OXMSG]). */
export function readMsg(bytes: Buffer): Mail {
  try {
    const reader = open(bytes);
    const fields = reader.getFileData();
    if (fields.error) throw new Error(fields.error);
    return toMail(fields, (attachment) => reader.getAttachment(attachment).content);
  } catch (error) {
    throw corruptFileError('message', error);
  }
}

/** Old messages have their texts in a code page that they need not name. */
function open(bytes: Buffer) {
  const reader = openMsg(bytes);
  const { subject = '', body = '', senderName = '', messageCodepage } = reader.getFileData();
  const text = `${subject}\n${senderName}\n${body}`;
  const octets = Buffer.from(text, 'latin1');
  // Characters of one byte each are what the reader makes of a code page; it is the same in Unicode.
  if (octets.toString('latin1') !== text || isAscii(octets)) return reader;
  const again = openMsg(bytes);
  again.parserConfig = {
    ansiEncoding: decodeText(octets, codePage(messageCodepage)).encoding,
  };
  return again;
}

function toMail(fields: FieldsData, contentOf: (attachment: FieldsData) => Uint8Array): Mail {
  const { subject, senderName, senderSmtpAddress, senderAddressType, senderEmail, body } = fields;
  const sender = senderSmtpAddress || (senderAddressType === 'SMTP' ? senderEmail : undefined);
  const date = fields.messageDeliveryTime ?? fields.clientSubmitTime;
  const html = htmlOf(fields);
  return {
    ...(subject && { subject }),
    from: senderName || sender ? [formatAddress(senderName, sender)] : [],
    to: recipients(fields, 'to'),
    cc: recipients(fields, 'cc'),
    bcc: recipients(fields, 'bcc'),
    ...(date && { date: isoDate(date) }),
    details: DETAILS.flatMap(([label, field]) => detail(label, fields[field])),
    ...(body && { text: body }),
    ...(html && { html }),
    attachments: (fields.attachments ?? []).map((attachment) => toAttachment(attachment, contentOf)),
  };
}

function recipients({ recipients = [] }: FieldsData, type: string): string[] {
  return recipients
    .filter(({ recipType = 'to' }) => recipType === type)
    .map(({ name, smtpAddress, addressType, email }) =>
      formatAddress(name, smtpAddress || (addressType === 'SMTP' ? email : undefined)),
    );
}

function detail(label: string, value: unknown): [string, string][] {
  if (typeof value !== 'string' || !value.trim()) return [];
  return [[label, /\d\d:\d\d:\d\d GMT$/.test(value) ? isoDate(value) : value]];
}

function htmlOf({ bodyHtml, html, internetCodepage }: FieldsData): string | undefined {
  return bodyHtml || (html && decodeText(html, codePage(internetCodepage)).text);
}

function toAttachment(attachment: FieldsData, contentOf: (attachment: FieldsData) => Uint8Array): Attachment {
  const fileName = attachment.fileName || attachment.name || attachment.fileNameShort;
  return {
    ...(fileName && { fileName }),
    ...(attachment.attachMimeTag && { mediaType: attachment.attachMimeTag }),
    bytes: contentOf(attachment),
    isInline: attachment.attachmentHidden === true,
  };
}

function codePage(number: number | undefined): string | undefined {
  return number === undefined ? undefined : (CODE_PAGES[number] ?? `windows-${number}`);
}

function isoDate(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}
