import {
  Braces,
  File,
  FileSpreadsheet,
  FileText,
  FileType,
  Globe,
  Image,
  type LucideIcon,
  Mail,
  Presentation,
} from 'lucide-react';
import type { Document } from '../../../api/trpc';
import { formatOf } from './document-format';

const ICONS: Record<string, LucideIcon> = {
  pdf: FileText,
  md: FileText,
  txt: FileText,
  docx: FileType,
  doc: FileType,
  odt: FileType,
  rtf: FileType,
  epub: FileType,
  xlsx: FileSpreadsheet,
  xls: FileSpreadsheet,
  csv: FileSpreadsheet,
  tsv: FileSpreadsheet,
  pptx: Presentation,
  html: Globe,
  webpage: Globe,
  json: Braces,
  ndjson: Braces,
  xml: Braces,
  yaml: Braces,
  eml: Mail,
  msg: Mail,
  png: Image,
  jpeg: Image,
  webp: Image,
  tiff: Image,
  heic: Image,
};

interface FormatIconProps {
  document: Pick<Document, 'documentSubType' | 'documentName' | 'documentType'>;
}

/** What kind of file a document is, beside its name, which says it in words. */
export function FormatIcon({ document }: FormatIconProps) {
  const format = formatOf(document);
  const { documentType } = document;
  const isPage = documentType === 'UnstructuredWebpage' || documentType === 'StructuredWebpage';
  const known = format !== undefined && Object.hasOwn(ICONS, format) ? ICONS[format] : undefined;
  const Icon = known ?? (isPage ? Globe : File);
  return <Icon />;
}
