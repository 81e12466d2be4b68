import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
  'base64',
);

export const pngDataUrl = `data:image/png;base64,${png.toString('base64')}`;

export interface InnerHost {
  port: number;
  /** The paths that were asked for. */
  asked: string[];
  close(): void;
}

/** A host on this machine with an image that nobody outside may see. */
export async function startInnerHost(): Promise<InnerHost> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'image/png' }).end(png);
  }).listen(0, '::');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, asked, close: () => void server.close() };
}

/** Addresses of images that must not be fetched, by us or by a model's server. */
export const forbiddenImages = (port: number): string[] => [
  'file:///etc/passwd',
  'file:///etc/passwd#.png',
  'http://169.254.169.254/latest/meta-data/x.png',
  'http://[fd00:ec2::254]/latest/meta-data/x.png',
  'http://10.0.0.5:8000/x.png',
  'http://192.168.0.1/x.png',
  'http://100.64.0.1/x.png',
  `http://127.0.0.1:${port}/secret.png`,
  `http://localhost:${port}/secret.png`,
  `http://0:${port}/secret.png`,
  `http://127.1:${port}/secret.png`,
  `http://0x7f000001:${port}/secret.png`,
  `http://2130706433:${port}/secret.png`,
  `http://[::1]:${port}/secret.png`,
  `http://[::ffff:127.0.0.1]:${port}/secret.png`,
  `http://user:password@127.0.0.1:${port}/secret.png`,
  `//127.0.0.1:${port}/secret.png`,
  'ftp://files.example/x.png',
  's3://bucket/x.png',
  'gopher://127.0.0.1/x.png',
  pngDataUrl,
  '/etc/passwd.png',
  '',
];
