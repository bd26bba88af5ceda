/** Shorter secrets are not redacted: they would match ordinary words. */
const SHORTEST_SECRET = 8;

/** Secrets with a recognizable pattern. Public parts, such as key ids, stay. */
const PATTERNS: [RegExp, string][] = [
  [/\b(lectern_[0-9A-Za-z]{12}_)[0-9A-Za-z]{20,}/g, '$1…'],
  [/\bwhsec_[0-9A-Za-z+/=_-]+/g, 'whsec_…'],
  // Keys of providers of models, also masked as in "sk-ab***yz".
  [/(?<![\w*-])(sk-|hf_|jina_|pa-)[\w*-]{16,}/g, '$1…'],
  [/\b(bearer +)[^\s"'\\,;]+/gi, '$1…'],
  // The password in a URL.
  [/(:\/\/[^\s:@/"']*:)[^\s@/"']+@/g, '$1…@'],
  // A field of a JSON object, or of one that stands in a string and has backslashes before its quotes.
  [
    /((\\{0,7})"(?:x-api-key|authorization|cookie|password|secret|api_?key|access_?token)\2":\s*\2")(?:(?!(?<!\\)\2").)*/gi,
    '$1…',
  ],
];

/**
 * Creates a function that redacts secrets in a text.
 *
 * @param secrets known secrets, besides those with a known pattern
 */
export function createRedactor(secrets: (string | undefined)[] = []): (text: string) => string {
  const known = secrets
    .filter((secret) => secret !== undefined && secret.length >= SHORTEST_SECRET)
    .flatMap((secret = '') => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]);
  return (text) => {
    let redacted = text;
    for (const [pattern, replacement] of PATTERNS) redacted = redacted.replace(pattern, replacement);
    for (const secret of known) redacted = redacted.replaceAll(secret, '…');
    return redacted;
  };
}
