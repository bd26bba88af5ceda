import type { ListMultipartUploadsCommandOutput, S3Client } from '@aws-sdk/client-s3';

/** Aborts multipart uploads that nobody will complete: their parts cost money, and no list of objects shows them. */
export async function abortAbandonedUploads(
  client: S3Client,
  { bucket, prefix }: { bucket: string; prefix: string },
  isAbandoned: (name: string, begun: Date) => boolean,
): Promise<void> {
  const { AbortMultipartUploadCommand, ListMultipartUploadsCommand } = await import('@aws-sdk/client-s3');
  let page: ListMultipartUploadsCommandOutput | undefined;
  do {
    page = await client.send(
      new ListMultipartUploadsCommand({
        Bucket: bucket,
        Prefix: prefix,
        KeyMarker: page?.NextKeyMarker,
        UploadIdMarker: page?.NextUploadIdMarker,
      }),
    );
    for (const { Key = '', UploadId, Initiated } of page.Uploads ?? []) {
      if (!Initiated || !isAbandoned(Key, Initiated)) continue;
      await client
        .send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }))
        .catch(ignoreAbsent);
    }
  } while (page.IsTruncated);
}

/** It has ended meanwhile. */
function ignoreAbsent(error: Error): void {
  if (error.name !== 'NoSuchUpload') throw error;
}
