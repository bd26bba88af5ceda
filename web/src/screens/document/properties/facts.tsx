import type { ReactNode } from 'react';
import { Author } from '../../../api/author';
import { useFormatName } from '../../../common/documents/format/document-format';
import { documentMessages } from '../../../common/documents/messages';
import { useEngine } from '../../../common/documents/readers';
import { useFormat, useMessages } from '../../../language/language';
import { Id } from '../../../ui/copy-id';
import { JsonBlock } from '../../../ui/json-block';
import { Time } from '../../../ui/time';
import styles from '../document.module.css';
import { messages } from '../messages';
import type { OneDocument } from '../use-document';

/** What cannot be changed here. */
export function Facts({ document }: { document: OneDocument }) {
  const t = useMessages(messages);
  const { readers } = useMessages(documentMessages);
  const engine = useEngine();
  const { count } = useFormat();
  const subType = document.documentSubType;
  const format = useFormatName()(document);
  const { url, storageBucket, storagePath, storageType, chunking, extraction, customProperties } = document;
  const facts: [string, ReactNode][] = [
    [t.facts.id, <Id key="id" id={document.id} />],
    [
      t.facts.externalId,
      document.externalId && <Id key="externalId" id={document.externalId} of={t.facts.externalId} />,
    ],
    [t.facts.type, t.types[document.documentType]],
    [t.facts.subType, subType && (format === subType ? subType : t.facts.format(format ?? '', subType))],
    [t.facts.unit, `${document.tenantId} / ${document.tenantUnitId}`],
    [t.facts.url, url && <Address key="url" url={url} />],
    [t.facts.storage, storageBucket && `${storageType}: ${storageBucket} / ${storagePath}`],
    [t.facts.chunks, count(document.chunkCount)],
    [t.facts.created, <Written key="created" time={document.createdTime} by={document.createdBy} />],
    [t.facts.updated, <Written key="updated" time={document.updatedTime} by={document.updatedBy} />],
    [t.facts.version, count(document.version)],
    [t.facts.chunking, chunking && <JsonBlock key="chunking" value={chunking} />],
    [t.facts.extraction, extraction === 'auto' ? null : readers[extraction](engine ?? t.facts.noEngine)],
    [t.facts.custom, customProperties && <JsonBlock key="custom" value={customProperties} />],
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) =>
        value === null || value === '' ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** A link, where it is one that a browser may follow. */
export function Address({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return <code>{url}</code>;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {url}
    </a>
  );
}

function Written({ time, by }: { time: string; by: string | null }) {
  return (
    <>
      <Time iso={time} /> {by && <Author userId={by} />}
    </>
  );
}
