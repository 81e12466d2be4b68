import { gzipSync } from 'node:zlib';
import type { Answered, Breakage, Sent } from '../breakable.ts';

export interface Broken {
  what: string;
  /** The check that must fail. */
  check: string;
  seen: RegExp;
  breakage(soundKey: string): Breakage;
  /** What the check makes must be new. */
  ownScene?: true;
  /** Its charges never come into the books as the check knows them, so that it need not wait for them long. */
  hidesCharges?: true;
}

export const textAnswer = (status: number, text: string, type = 'text/html'): Answered => ({
  status,
  headers: { 'content-type': type },
  body: Buffer.from(text),
});

export const notHere = textAnswer(404, '{"error":"Not found"}', 'application/json');
export const page = '<html>an error page of a proxy</html>';

export const onPath =
  (pattern: RegExp, method = /./) =>
  (sent: Sent): boolean =>
    pattern.test(sent.path) && method.test(sent.method);

/** Answers what fits in the service's place. */
export const instead = (fits: (sent: Sent) => boolean, answer: Answered): Breakage => ({
  request: (sent) => (fits(sent) ? answer : sent),
});

export const changing = (of: (sent: Sent) => boolean, answer: NonNullable<Breakage['answer']>): Breakage => ({
  of,
  answer,
});

export const json = (answered: Answered, change: (body: Record<string, unknown>) => object): Answered =>
  answered.status >= 300
    ? answered
    : { ...answered, body: Buffer.from(JSON.stringify(change(JSON.parse(answered.body.toString())))) };

export const without = (headers: Record<string, string>, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name));

/** Every tenth of those that fit. */
export function everyTenth(fits: (sent: Sent) => boolean, answer: Answered): Breakage {
  let count = 0;
  return instead((sent) => fits(sent) && ++count % 10 === 0, answer);
}

/** Keeps the first answer to a path for whoever asks next. */
export function caching(fits: (sent: Sent) => boolean): Breakage {
  const kept = new Map<string, Answered>();
  return {
    request: (sent) => (fits(sent) && kept.get(sent.path.split('?')[0] ?? '')) || sent,
    of: fits,
    answer(answered, { path }) {
      kept.set(path.split('?')[0] ?? '', answered);
      return answered;
    },
  };
}

export const chat = onPath(/^\/v1\/chat\/completions/);
export const stream = onPath(/\/stream$/);
export const cancel = onPath(/\/cancel$/);
export const forms = onPath(/^\/v1\/agents\/runs$/, /POST/);
export const inGzip = (answered: Answered): Answered => ({
  ...answered,
  headers: { ...answered.headers, 'content-encoding': 'gzip' },
  body: gzipSync(answered.body),
});
export const heldBack = (answered: Answered): Answered => answered;
export const tooLarge = (bytes: number): Breakage => ({
  request: (sent) => (sent.body.length > bytes ? textAnswer(413, page) : sent),
});
