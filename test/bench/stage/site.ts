import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { publicSiteAt } from '../../support/lambda/public-site.ts';

const paragraphs = 300;
const sentence = 'The lake is deeper than the sea near it, and its water is dark because of the peat in it. ';

/** An article of about 150 KB, as large as a typical page of the web with its menus and scripts. */
function article(): string {
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
  const page = article();
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(page);
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
