import http from 'node:http';
import type { StreamingHandler } from '../../../../functions/lambda/runtime.ts';

/** The least that a function can do to pass on a stream: its CPU is that of the runtime client and of Node. */
const url = `${process.env.UPSTREAM_URL}/v1/chat/completions`;
const agent = new http.Agent({ keepAlive: true });

export const handler: StreamingHandler = awslambda.streamifyResponse(
  ({ body = '' }, responseStream) =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const request = http.request(url, { method: 'POST', agent, headers }, (response) => {
        const metadata = {
          statusCode: response.statusCode ?? 502,
          headers: { 'content-type': response.headers['content-type'] ?? '' },
          cookies: [],
        };
        response.pipe(awslambda.HttpResponseStream.from(responseStream, metadata));
        response.once('end', resolve).once('error', reject);
      });
      request.once('error', reject).end(body);
    }),
);
