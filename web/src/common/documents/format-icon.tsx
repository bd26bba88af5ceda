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
import type { Document } from '../../api/trpc';

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

/** What kind of file a document is, beside its name, which says it in words. */
export function FormatIcon({ document }: { document: Pick<Document, 'documentSubType' | 'documentType'> }) {
  const { documentSubType: subType, documentType } = document;
  const isPage = documentType === 'UnstructuredWebpage' || documentType === 'StructuredWebpage';
  const known = subType && Object.hasOwn(ICONS, subType) ? ICONS[subType] : undefined;
  const Icon = known ?? (isPage ? Globe : File);
  return <Icon />;
}
