import {
  type Broken,
  cancel,
  changing,
  chat,
  everyTenth,
  heldBack,
  inGzip,
  instead,
  onPath,
  page,
  stream,
  textAnswer,
  without,
} from './make.ts';

export const streams: readonly Broken[] = [
  {
    what: 'holds a chat back until it is whole',
    check: 'chat as the model writes',
    seen: /they came at once, at the end/,
    breakage: () => changing(chat, heldBack),
  },
  {
    what: 'compresses a chat',
    check: 'chat as the model writes',
    seen: /came as gzip/,
    breakage: () => changing(chat, inGzip),
  },
  {
    what: 'cuts the end of a chat off',
    check: 'chat as the model writes',
    seen: /the stream ends with/,
    breakage: () =>
      changing(chat, (a) => ({ ...a, body: Buffer.from(a.body.toString().replace('data: [DONE]\n\n', '')) })),
  },
  {
    what: 'cuts the end of a message off',
    check: 'a message',
    seen: /the stream ends with/,
    breakage: () =>
      changing(onPath(/^\/v1\/messages/), (a) => ({
        ...a,
        body: Buffer.from(a.body.toString().replace(/event: message_stop\n.*\n\n$/, '')),
      })),
  },
  {
    what: "holds a run's stream back until it is whole",
    check: 'a run, created and streamed',
    seen: /events came at once/,
    breakage: () => changing(stream, heldBack),
    ownScene: true,
  },
  {
    what: "compresses a run's stream",
    check: 'a run, created and streamed',
    seen: /came as gzip/,
    breakage: () => changing(stream, inGzip),
    ownScene: true,
  },
  {
    what: 'loses an event',
    check: 'a run, resumed by id',
    seen: /after event \d+ of \d+ came/,
    breakage: () =>
      changing(stream, (a) => ({
        ...a,
        body: Buffer.from(a.body.toString().replace(/id: 12\n.*?\n\n/s, '')),
      })),
  },
  {
    what: 'drops Last-Event-ID',
    check: 'a run, resumed by id',
    seen: /after event \d+ of \d+ came \d+, from 1/,
    breakage: () => ({ request: (sent) => ({ ...sent, headers: without(sent.headers, 'last-event-id') }) }),
  },
  {
    what: 'answers 200 to a reader that has seen the end',
    check: 'a run, resumed by id',
    seen: /after event \d+: 200/,
    breakage: () => changing(stream, (a) => ({ ...a, status: 200 })),
  },
  {
    what: 'does not hand on that a run is cancelled',
    check: 'a run, cancelled',
    seen: /the run is succeeded/,
    breakage: () => instead(cancel, textAnswer(202, '{}', 'application/json')),
  },
  {
    what: 'has no room for every tenth of many requests',
    check: '100 cancels at once',
    seen: /90 x 202, 10 x 429/,
    breakage: () => everyTenth(cancel, textAnswer(429, page)),
  },
];
