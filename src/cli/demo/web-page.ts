import http from 'node:http';
import type { AddressInfo } from 'node:net';

const PAGE = `<!doctype html>
<html lang="en">
  <head><title>Opening hours in December</title></head>
  <body>
    <article>
      <h1>Opening hours in December</h1>
      <p>On the four Saturdays before the holidays our shops stay open until ten in the evening.</p>
      <p>On 24 December they close at two in the afternoon. From 25 to 27 December, and on 1 January, they are closed.</p>
      <p>Gifts that were bought in December can be exchanged until 31 January.</p>
    </article>
  </body>
</html>
`;

export interface WebPage {
  url: string;
  /** From now on it is there. */
  publish(): void;
  close(): void;
}

/** A page on this machine that is not found until it is published, so that a document fails and can be mended. */
export async function startWebPage(): Promise<WebPage> {
  let isThere = false;
  const server = http.createServer((_request, response) => {
    response.writeHead(isThere ? 200 : 404, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(isThere ? PAGE : 'Not found');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/december.html`,
    publish() {
      isThere = true;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
