const ALIAS = /(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g;

/**
 * Says what pg does for these modes of TLS, which is to verify the certificate and the name of the server. It warns at
 * each start that they will mean less one day, unless that is asked for already (`uselibpqcompat`).
 */
export function withPlainTlsMode(url: string): string {
  const isLibpq = new URL(url).searchParams.get('uselibpqcompat') === 'true';
  return isLibpq ? url : url.replace(ALIAS, 'verify-full');
}
