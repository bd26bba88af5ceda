/** Scripts, styles, pictures and requests of this server, and nothing inline. */
export const CONSOLE_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * A worker has the policy of its own file. The one that reads PDFs, which are foreign, loads nothing; it compiles the
 * decoders of scanned pages that it is handed.
 */
export const PDF_WORKER_CSP = "default-src 'none'; script-src 'wasm-unsafe-eval'";
