import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import S3rver from 's3rver';

/** What s3rver takes for good. */
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

export type S3Server = Awaited<ReturnType<typeof startS3Server>>;

/** An S3 server with these buckets, in a folder of its own. Its credentials are put into the environment. */
export async function startS3Server(...buckets: string[]) {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'lectern-test-s3-'));
  let port = 0;
  let server: S3rver;
  Object.assign(process.env, CREDENTIALS);

  async function start(): Promise<void> {
    const configureBuckets = buckets.map((name) => ({ name }));
    server = new S3rver({ address: '127.0.0.1', port, silent: true, directory, configureBuckets });
    server.middleware.unshift(multipartUploads(directory));
    ({ port } = await server.run());
  }

  /** As if its machine lost its power. */
  async function kill(): Promise<void> {
    const closed = new Promise((resolve) => server.httpServer.close(resolve));
    server.httpServer.closeAllConnections();
    await closed;
  }

  await start();
  const endpoint = `http://127.0.0.1:${port}`;

  return {
    endpoint,
    client: new S3Client({ endpoint, forcePathStyle: true, region: 'us-east-1' }),
    /** On the same port as before. */
    start,
    kill,
    /** The multipart uploads that have begun and not ended. */
    uploads: async (bucket: string) => (await uploadsIn(directory, bucket)).map(({ key }) => key),
    async stop() {
      if (server.httpServer.listening) await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const folderOf = (directory: string, bucket: string) => path.join(directory, bucket, '._S3rver_uploads');

async function uploadsIn(directory: string, bucket: string) {
  const folder = folderOf(directory, bucket);
  const ids = await readdir(folder).catch(() => []);
  return Promise.all(
    ids.map(async (id) => ({
      id,
      key: await readFile(path.join(folder, id, 'key'), 'utf8'),
      begun: (await stat(path.join(folder, id, 'key'))).mtime,
    })),
  );
}

/** What s3rver has not: the list of multipart uploads, and their end. */
function multipartUploads(directory: string): S3rver['middleware'][number] {
  return async (context, next) => {
    const [, bucket = ''] = context.path.split('/');
    const { uploads, uploadId, prefix = '' } = context.query;
    if (context.method === 'DELETE' && uploadId) {
      await rm(path.join(folderOf(directory, bucket), uploadId), { recursive: true, force: true });
      context.status = 204;
    } else if (context.method === 'GET' && uploads !== undefined) {
      const all = await uploadsIn(directory, bucket);
      const listed = all
        .filter(({ key }) => key.startsWith(prefix))
        .map(
          ({ id, key, begun }) =>
            `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begun.toISOString()}</Initiated></Upload>`,
        );
      context.type = 'application/xml';
      context.body = `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${listed.join('')}</ListMultipartUploadsResult>`;
    } else {
      await next();
    }
  };
}
