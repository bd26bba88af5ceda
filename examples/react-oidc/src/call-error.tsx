import { readFailure } from 'lectern/client';

/** What went wrong, in the server's words. */
export function CallError({ error }: { error: unknown }) {
  if (!error) return null;
  const { detail } = readFailure(error);
  const sentences = detail.length > 0 ? detail.map(({ msg }) => msg) : ['The server does not answer.'];
  return <p role="alert">{sentences.join(' ')}</p>;
}
