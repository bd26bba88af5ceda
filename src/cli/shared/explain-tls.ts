/** Whether a PostgreSQL server was asked for TLS and has none. pg gives this no code. */
export const isTlsRefused = (error: unknown): boolean =>
  error instanceof Error && /server does not support SSL connections/.test(error.message);

/** What to do then. */
export const TLS_ADVICE =
  'Switch it on there (ssl = on in postgresql.conf), or change sslmode in DATABASE_URL: with sslmode=disable nothing is encrypted on the way.';
