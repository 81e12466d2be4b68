import type { Answered, Sent } from '../breakable.ts';
import type { Broken } from './make.ts';

const page: Answered = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from('<html>an error page of a proxy</html>'),
};

const has = ({ body }: Sent, text: string): boolean => body.includes(text);

const fails = (what: string, seen: RegExp, fits: (sent: Sent) => boolean): Broken => ({
  what,
  check: 'a document is read',
  seen,
  breakage: () => ({ request: (sent) => (fits(sent) ? page : sent) }),
});

export const documents: readonly Broken[] = [
  fails('reads no documents', /POST \/v1\/agents\/runs: 502 <html>/, (sent) => has(sent, 'application/pdf')),
  fails(
    'says nothing of a broken document',
    /with a broken PDF: 502 <html>/,
    (sent) => has(sent, 'application/pdf') && !has(sent, 'endobj'),
  ),
  {
    what: 'takes a broken document for a sound text',
    check: 'a document is read',
    seen: /with a broken PDF: 202/,
    breakage: () => ({
      request: (sent) => ({
        ...sent,
        body:
          has(sent, 'smoke.pdf') && !has(sent, 'endobj')
            ? Buffer.from(
                sent.body
                  .toString('latin1')
                  .replace('smoke.pdf', 'a.txt')
                  .replace('application/pdf', 'text/plain')
                  .replace('%PDF-1.4', 'text'),
                'latin1',
              )
            : sent.body,
      }),
    }),
  },
];
