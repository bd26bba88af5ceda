const BUCKET = /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/;

/**
 * Whether this is the name of a bucket, of S3 or of Google Cloud Storage. Anything else might lead a client elsewhere:
 * that of Google puts a name into an address as it is, where `..`, `?` and `#` mean something.
 */
export const isBucketName = (name: string): boolean => BUCKET.test(name) && !name.includes('..');

/** Whether no server takes this name of an object for a way out of its bucket. */
export const isObjectPath = (path: string): boolean =>
  !path.split(/[/\\]/).some((segment) => segment === '.' || segment === '..');
