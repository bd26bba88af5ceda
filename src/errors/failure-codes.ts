interface FailureAbout {
  /** The stages in which it occurs: some of fetching, parsing, splitting, storing; or all. */
  stages: string;
  /** Whether Lectern tries again by itself. */
  retries: 'yes' | 'no' | 'sometimes';
  meaning: string;
}

const fetching = 'fetching';
/** Files are split while they are parsed. */
const parsing = 'parsing, splitting';

/** Every `code` in the `error` of a document. One that is not listed here does not compile. */
export const failureCodes = {
  invalid_url: { stages: fetching, retries: 'no', meaning: 'Lectern cannot fetch a URL of this kind.' },
  blocked_address: {
    stages: fetching,
    retries: 'no',
    meaning: 'The URL leads to an address that is not public, and `FETCH_ALLOW_HOSTS` does not allow it.',
  },
  unreachable: {
    stages: fetching,
    retries: 'sometimes',
    meaning: 'The server cannot be reached. An unknown host name is not tried again.',
  },
  tls: {
    stages: fetching,
    retries: 'no',
    meaning: 'The certificate of the server is not trusted, or TLS fails.',
  },
  http_status: {
    stages: fetching,
    retries: 'sometimes',
    meaning: 'The server answered with an error. 408, 425, 429 and 5xx are tried again.',
  },
  too_many_redirects: { stages: fetching, retries: 'no', meaning: 'The server redirects too often.' },
  broken_body: {
    stages: fetching,
    retries: 'sometimes',
    meaning: 'The answer of the server cannot be read. An unknown compression is not tried again.',
  },
  storage_not_supported: {
    stages: fetching,
    retries: 'no',
    meaning: 'This server cannot read buckets of this storage.',
  },
  bucket_not_allowed: {
    stages: fetching,
    retries: 'no',
    meaning: '`SOURCE_BUCKETS` does not name the bucket.',
  },
  not_found: { stages: fetching, retries: 'no', meaning: 'The bucket or the object does not exist.' },
  access_denied: {
    stages: fetching,
    retries: 'no',
    meaning: 'The credentials of the server may not read the object.',
  },
  archived: { stages: fetching, retries: 'no', meaning: 'The object is archived. Restore it first.' },
  file_missing: {
    stages: fetching,
    retries: 'no',
    meaning: 'The uploaded file is no longer in the storage.',
  },
  storage_unavailable: {
    stages: fetching,
    retries: 'sometimes',
    meaning: 'The file storage failed. During an outage the document waits, and no attempt is counted.',
  },
  empty_text: { stages: parsing, retries: 'no', meaning: 'The file has no text.' },
  scanned: {
    stages: parsing,
    retries: 'no',
    meaning:
      'The pages are images, and no extraction engine has read them. Run text recognition (OCR) first.',
  },
  nothing_recognized: {
    stages: 'extracting',
    retries: 'no',
    meaning: 'The pages are images, in which the extraction engine has found no text. Use a better scan.',
  },
  extraction_unavailable: {
    stages: 'extracting',
    retries: 'sometimes',
    meaning:
      'The extraction engine did not answer. The document waits for it for most of an hour before it fails.',
  },
  unknown_characters: {
    stages: parsing,
    retries: 'no',
    meaning: 'The fonts of the file do not define which characters the glyphs stand for.',
  },
  encrypted: { stages: parsing, retries: 'no', meaning: 'A password protects the file.' },
  corrupt: { stages: parsing, retries: 'no', meaning: 'The file is damaged or incomplete.' },
  unsupported_type: { stages: parsing, retries: 'no', meaning: 'The format of the file is not supported.' },
  too_large: {
    stages: `${fetching}, ${parsing}`,
    retries: 'no',
    meaning: 'The file is larger than `MAX_UPLOAD_BYTES`, unpacks to too much, or is nested too deep.',
  },
  too_much_text: {
    stages: parsing,
    retries: 'no',
    meaning: 'The file contains more text than its size allows.',
  },
  too_many_chunks: {
    stages: parsing,
    retries: 'no',
    meaning: 'The file produces more chunks than its size or `MAX_CHUNKS_PER_DOCUMENT` allows.',
  },
  timeout: {
    stages: `${fetching}, ${parsing}`,
    retries: 'sometimes',
    meaning:
      'Fetching took too long, which is tried again; or parsing took more processor time than the file may have.',
  },
  out_of_memory: {
    stages: parsing,
    retries: 'no',
    meaning: 'Parsing takes more memory than `INGEST_MEMORY_MB`.',
  },
  parser_crashed: {
    stages: parsing,
    retries: 'sometimes',
    meaning: 'The parser process ended. It is tried again if it was killed from outside.',
  },
  worker_died: {
    stages: 'all',
    retries: 'no',
    meaning: 'The server died five times while it processed the document.',
  },
  quota_exceeded: {
    stages: 'extracting, storing',
    retries: 'no',
    meaning: 'The chunks, or the pages that an extraction engine reads, exceed the quota of the tenant.',
  },
  interrupted: { stages: 'storing', retries: 'yes', meaning: 'Storing the chunks was interrupted.' },
  cancelled: {
    stages: 'all',
    retries: 'no',
    meaning: 'Somebody cancelled the processing, possibly while the document waited.',
  },
  internal: {
    stages: 'all',
    retries: 'yes',
    meaning: 'An unexpected error. The log of the server has details.',
  },
} as const satisfies Record<string, FailureAbout>;

/** Why the processing of a document failed. */
export type FailureCode = keyof typeof failureCodes;
