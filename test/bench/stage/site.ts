import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { publicSiteAt } from '../../support/lambda/public-site.ts';

/** Those of a page of 150 KB with its menus, and of one of 4.8 MB, which is nearly the largest that is read. */
const paragraphs = { typical: 300, large: 11_300 };
const sentence = 'The lake is deeper than the sea near it, and its water is dark because of the peat in it. ';

/** An article, of about 150 KB if it has the paragraphs of a typical page of the web. */
function article(paragraphs: number): string {
  const menu = Array.from({ length: 100 }, (_, i) => `<li><a href="/menu/${i}">Entry ${i}</a></li>`).join('');
  const text = Array.from(
    { length: paragraphs },
    (_, i) => `<h2>Part ${i}</h2><p>${sentence.repeat(4)}<a href="/part/${i}">More</a></p>`,
  ).join('');
  return `<!doctype html><html><head><title>Lakes</title></head><body><nav><ul>${menu}</ul></nav><article>${text}</article></body></html>`;
}

export interface Site {
  /** The environment of a function's process that reaches the site at its public address. */
  environment: Record<string, string>;
  close(): void;
}

export async function startSite(): Promise<Site> {
  const [page, large] = [article(paragraphs.typical), article(paragraphs.large)];
  const server = createServer(({ url }, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(url?.startsWith('/large/') ? large : page);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    environment: publicSiteAt((server.address() as AddressInfo).port),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
