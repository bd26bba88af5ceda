import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { group } from './group.js';
import { list, seconds, serverUrl } from './shapes.js';

/** File storage and the sources of documents. */
export const storage = group({
  title: 'File storage and sources of documents',
  note: 'Use a storage for one database only: Lectern removes files that the database does not know after a day. Credentials for buckets come from the AWS and Google variables below, from the files of their tools, or from the role of the machine. They serve STORAGE_URL and documents with a storageType. To trust a private certificate authority, set NODE_EXTRA_CA_CERTS to the file with its certificate.',
  variables: {
    STORAGE_URL: z
      .string()
      .regex(
        /^(file:\/(\/\/)?[^/]|s3:\/\/[^/]|gs:\/\/[^/])/,
        'must be file:/folder, s3://bucket/prefix or gs://bucket/prefix',
      )
      .optional()
      .meta({
        description:
          'Where uploaded files are stored: a folder or a bucket. In a bucket, object names begin with the prefix and "lectern-".',
        fallback: 'in DATA_DIR',
        examples: ['file:/var/lib/lectern/files', 's3://bucket/prefix', 'gs://bucket/prefix'],
      }),
    STORAGE_TIMEOUT_SECONDS: seconds
      .default(20)
      .describe(
        'How long the server of a bucket may be silent. Lectern tries once more, and then answers 503.',
      ),
    AWS_ENDPOINT_URL_S3: serverUrl.meta({
      description: 'An S3-compatible server other than AWS.',
      examples: ['https://minio.example:9000'],
    }),
    AWS_ENDPOINT_URL: serverUrl.meta({
      description: 'The same, used if AWS_ENDPOINT_URL_S3 is not set.',
      examples: ['https://minio.example:9000'],
    }),
    SOURCE_BUCKETS: z
      .string()
      .transform((text) => text.split(',').map((place) => place.trim()))
      .pipe(z.array(z.string().regex(/^(s3|gs):\/\/[^/]+/, 'must be a list of s3://bucket and gs://bucket')))
      .optional()
      .meta({
        description:
          'Buckets that documents may name, with or without a prefix, separated by commas. Set it if tenants must not read buckets of other tenants.',
        fallback: 'all that the credentials can read',
        examples: ['s3://manuals,gs://shared/public'],
      }),
    FETCH_ALLOW_HOSTS: list
      .refine(
        (entries) => entries.every(isAllowEntry),
        'must be a list of host, host:port, *.domain or a range such as 10.1.0.0/16, with commas between them',
      )
      .describe(
        'Hosts, besides public addresses, that documents may be fetched from and webhooks may be sent to, also over http.',
      ),
    FETCH_TIMEOUT_SECONDS: seconds.default(60).describe('Timeout for fetching one page.'),
  },
  ofLibraries: {
    AWS_ACCESS_KEY_ID: { description: 'Credentials for S3.' },
    AWS_SECRET_ACCESS_KEY: { description: 'Credentials for S3.' },
    AWS_REGION: { description: 'Region of the buckets in S3.', examples: ['eu-central-1'] },
    GOOGLE_APPLICATION_CREDENTIALS: {
      description: 'File with credentials for Google Cloud Storage.',
      examples: ['/etc/lectern/google.json'],
    },
  },
});

function isAllowEntry(entry: string): boolean {
  if (entry.includes('/')) return ipaddr.isValidCIDR(entry);
  return /^[^\s@?#\\]+$/.test(entry) && URL.canParse(`http://${entry.replace(/^\*\./, '')}`);
}
