import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Services } from '../../routers/index.js';
import { DEMO } from '../seed/index.js';

/** In the checkout and in the tarball, above dist. */
const FOLDER = new URL('../../../../demo/documents/', import.meta.url);
const HANDBOOK = 'handbook';

interface DemoFile {
  file: string;
  /** The name in the console, where it is not that of the file. */
  name?: string;
  title: string;
  datasetId: string;
  documentType?: 'StructuredFile';
}

const FILES: DemoFile[] = [
  { file: 'coffee-machine.pdf', title: 'Aroma 300: manual', datasetId: DEMO.datasetId },
  {
    file: 'air-purifier-zh.pdf',
    name: '空气净化器使用说明.pdf',
    title: 'AirPure 20 空气净化器使用说明',
    datasetId: DEMO.datasetId,
  },
  { file: 'faq-zh.md', name: '常见问题.md', title: '常见问题', datasetId: DEMO.datasetId },
  {
    file: 'spare-parts-and-shops.xlsx',
    title: 'Spare parts, and shops in China',
    datasetId: DEMO.datasetId,
    documentType: 'StructuredFile',
  },
  { file: 'travel-policy.docx', title: 'Travel policy', datasetId: HANDBOOK },
  {
    file: 'employee-handbook-zh.docx',
    name: '员工手册.docx',
    title: '员工手册',
    datasetId: HANDBOOK,
  },
  { file: 'onboarding.pptx', title: 'Welcome to customer support', datasetId: HANDBOOK },
  { file: 'security.html', title: 'Passwords and access', datasetId: HANDBOOK },
  { file: 'outage-report.eml', title: 'Outage on 14 October', datasetId: HANDBOOK },
  // What fails, each for another reason.
  { file: 'delivery-note-scan.pdf', title: 'Delivery note 20417', datasetId: DEMO.datasetId },
  { file: 'salary-bands-protected.pdf', title: 'Salary bands', datasetId: HANDBOOK },
  { file: 'meeting-minutes-cut-off.docx', title: 'Minutes of a meeting', datasetId: HANDBOOK },
  { file: 'floor-plan.png', title: 'Floor plan', datasetId: HANDBOOK },
];

/**
 * Adds the files of the demonstration, and a page at an address, as a caller would.
 *
 * @returns how many there are
 */
export async function addDocuments(
  { documents, files }: Pick<Services, 'documents' | 'files'>,
  { pageUrl, signal }: { pageUrl: string; signal: AbortSignal },
): Promise<number> {
  const actor = { userId: 'demo' };
  const { tenantId, tenantUnitId } = DEMO;
  const scope = { tenantId, tenantUnitId };
  for (const { file, name = file, title, datasetId, documentType = 'UnstructuredFile' } of FILES) {
    signal.throwIfAborted();
    const content = createReadStream(fileURLToPath(new URL(file, FOLDER)));
    const { fileId } = await files.upload(content, { actor, tenantId: undefined });
    await documents.create(
      {
        scope,
        title,
        documentType,
        documentName: name,
        datasetIds: [datasetId],
        file: { fileId, fileName: name },
      },
      actor,
    );
  }
  await documents.create(
    {
      scope,
      title: 'Opening hours in December',
      documentType: 'UnstructuredWebpage',
      documentName: 'december.html',
      datasetIds: [DEMO.datasetId],
      url: pageUrl,
    },
    actor,
  );
  return FILES.length + 1;
}
