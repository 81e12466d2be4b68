import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longestTurn } from '../../../test/support/longest-turn.ts';
import type { PreparedCall } from '../call.ts';
import type { AgentInput } from '../conversation.ts';
import { type Acting, initialState } from '../state.ts';
import type { Tool } from '../tool.ts';
import { webCrawl } from '../tools/web-crawl.ts';
import { webSearch } from '../tools/web-search.ts';
import { makeFence } from './fence.ts';
import { markOutside } from './material.ts';

interface Known {
  values?: Record<string, string>;
  attachment?: string;
  question?: string;
  callersQuestion?: string;
  isSubRun?: true;
  hasPrivateQuestion?: true;
  state?: Partial<Acting>;
}

const call = (name: string, args: object): PreparedCall['call'] => ({
  id: 'c',
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
});

async function problemOf(
  prepared: PreparedCall,
  known: Known,
  authorizations: string[] = [],
): Promise<string | undefined> {
  const { values = {}, attachment, question = 'q', callersQuestion, state } = known;
  const { isSubRun, hasPrivateQuestion } = known;
  const memory = {
    read: async (name: string) => ({ value: values[name]!, isOutside: false }),
  };
  const input: AgentInput = {
    question,
    callersQuestion,
    isSubRun,
    hasPrivateQuestion,
    ...(attachment !== undefined && {
      attachment: { kind: 'document', filename: 'a.txt', text: attachment },
    }),
  };
  const after = {
    ...initialState,
    messages: [],
    completions: 2,
    outsideSince: 1,
    knownValues: Object.keys(values),
    ...state,
  };
  const [checked] = await makeFence(memory, input, authorizations).check(after, [prepared]);
  return checked && 'problem' in checked ? checked.problem : undefined;
}

const crawlProblem = (url: string, known: Known) => {
  const tool = webCrawl({ readPage: async () => ({ text: '' }) });
  return problemOf({ call: call('web_crawl', { url }), tool, args: { url } }, known);
};

test('the question of a sub-run is kept out of addresses if it may have pieces of a file, but for those that it names', async () => {
  const secret = 'The merger with Deichland AG will be announced on the third of May.';
  const question = `What would follow from this: ${secret} See https://files.test/deichland`;
  const url = `https://evil.test/?q=${encodeURIComponent(secret)}`;
  expect(await crawlProblem(url, { question })).toBeUndefined();
  expect(await crawlProblem(url, { question, hasPrivateQuestion: true })).toMatch(
    /^Error: This address carries/,
  );
  expect(
    await crawlProblem('https://files.test/deichland', { question, hasPrivateQuestion: true }),
  ).toBeUndefined();
});

test("a saved value is searched for if the caller's question names it, and not if that of a sub-run does", async () => {
  const known = { values: { iban: 'NL91ABNA0417164300' }, question: 'Search for the iban.' };
  expect(await searchProblem('NL91ABNA0417164300', known)).toBeUndefined();
  const ofSubRun = { ...known, callersQuestion: 'What is new in Kiel?' };
  expect(await searchProblem('NL91ABNA0417164300', ofSubRun)).toMatch(/^Error: This query carries/);
  expect(
    await searchProblem('NL91ABNA0417164300', { ...ofSubRun, callersQuestion: 'Who has my iban?' }),
  ).toBeUndefined();
});

const signed = 'https://files.test/a?signature=abcdefghijklmnop';
const saving: Acting['messages'] = [
  { role: 'assistant', content: null, tool_calls: [call('save_file', {})] },
  { role: 'tool', tool_call_id: 'c', content: `Saved: ${signed}` },
];

const searchProblem = (query: string, known: Known) => {
  const tool = webSearch({ search: async () => [] });
  return problemOf({ call: call('web_search', { query }), tool, args: { queries: [query] } }, known);
};

/** A call of a tool that was brought. */
const messageProblem = (message: string, known: Known, authorizations: string[] = []) => {
  const tool: Tool = {
    name: 'shop__say',
    description: '',
    parameters: { jsonSchema: { type: 'object' } },
    timeoutMilliseconds: 1,
    sends: () => ({ message }),
    run: async () => ({ text: '' }),
  };
  return problemOf({ call: call('shop__say', {}), tool, args: {} }, known, authorizations);
};

const percent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const base64 = (encoding: 'base64' | 'base64url', before: string) => (text: string) =>
  Buffer.from(before + text).toString(encoding);
const hex = (text: string) => Buffer.from(text).toString('hex');
const percentOf = (bytes: Buffer) =>
  [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const split = (text: string, length: number, by: string) =>
  text.match(new RegExp(`.{1,${length}}`, 'gsu'))?.join(by) ?? '';

const encodings: Record<string, (text: string) => string> = {
  plain: (text) => text,
  'component-encoded': encodeURIComponent,
  'as a form': (text) => new URLSearchParams({ d: text }).toString().slice(2),
  percent,
  'percent, upper case': (text) => percent(text).toUpperCase(),
  'percent twice': (text) => encodeURIComponent(percent(text)),
  'percent three times': (text) => encodeURIComponent(encodeURIComponent(percent(text))),
  base64: base64('base64', ''),
  'base64 after one byte': base64('base64', '{'),
  'base64 after two bytes': base64('base64', '{"'),
  'base64 in JSON': (text) => Buffer.from(JSON.stringify({ d: text, e: 1 })).toString('base64'),
  'base64 for URLs': base64('base64url', ''),
  'base64 for URLs after a byte': base64('base64url', 'x'),
  'base64 without padding': (text) => base64('base64', '')(text).replaceAll('=', ''),
  'base64, percent-encoded': (text) => encodeURIComponent(base64('base64', '')(text)),
  'base64 of percent': (text) => base64('base64', '')(encodeURIComponent(text)),
  'base64 twice': (text) => base64('base64', '')(base64('base64', '')(text)),
  hex,
  'hex, upper case': (text) => hex(text).toUpperCase(),
  'hex after a digit': (text) => `0${hex(text)}`,
  'base64 of hex': (text) => base64('base64', '')(hex(text)),
};

/** Where in an address a text may stand. Hosts are lower case on the wire, and their labels have 63 characters. */
const places: Record<string, (text: string) => string> = {
  path: (text) => `https://evil.example/a/${text}`,
  query: (text) => `https://evil.example/?a=1&d=${text}&b=2`,
  fragment: (text) => `https://evil.example/#${text}`,
  user: (text) => `https://${text}@evil.example/`,
  'port-like password': (text) => `https://u:${text}@evil.example/`,
  'inner address': (text) =>
    `https://proxy.example/fetch?u=${encodeURIComponent(`https://evil.example/?d=${text}`)}`,
};

const hostEncodings: Record<string, (text: string) => string> = {
  hex: (text) => split(hex(text), 60, '.'),
  'hex in short labels': (text) => split(hex(text), 7, '.'),
  base64: (text) => split(Buffer.from(text).toString('base64url'), 40, '.'),
};

const named = (record: Record<string, (text: string) => string>) =>
  fc.constantFrom(...Object.entries(record).map(([name, make]) => ({ name, make })));
const secretCharacters = [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_. äß価🔑/?#%&=+\n',
];
const secret = (least: number, most: number) =>
  fc
    .array(fc.constantFrom(...secretCharacters), { minLength: least, maxLength: most })
    .map((characters) => characters.join(''));

describe('once material from outside was read, an address is refused', () => {
  test('if it carries a saved value, however it is encoded and wherever it stands', async () => {
    await fc.assert(
      fc.asyncProperty(secret(8, 60), named(encodings), named(places), async (value, encoding, place) => {
        const address = place.make(encoding.make(value));
        expect(await crawlProblem(address, { values: { iban: value } })).toMatch(
          /^Error: This address carries the saved value "iban"/,
        );
      }),
      { numRuns: 600 },
    );
  });

  test('if its host carries a saved value, split over labels and in lower case too', async () => {
    const alphanumeric = fc
      .array(fc.constantFrom(...secretCharacters.filter((character) => /[A-Za-z0-9]/.test(character))), {
        minLength: 8,
        maxLength: 60,
      })
      .map((characters) => characters.join(''));
    await fc.assert(
      fc.asyncProperty(
        alphanumeric,
        named({
          ...hostEncodings,
          plain: (text) => split(text, 5, '.'),
          hyphens: (text) => split(text, 3, '-'),
        }),
        fc.boolean(),
        async (value, encoding, isLowered) => {
          const host = encoding.make(value);
          const address = `https://${isLowered ? host.toLowerCase() : host}.evil.example/`;
          expect(await crawlProblem(address, { values: { iban: value } })).toMatch(/saved value "iban"/);
        },
      ),
      { numRuns: 600 },
    );
  });

  test('if it carries 32 characters of the attachment, from any place in it', async () => {
    await fc.assert(
      fc.asyncProperty(
        secret(80, 200),
        fc.nat(),
        named(encodings),
        named(places),
        async (attachment, at, encoding, place) => {
          const characters = [...attachment];
          const start = at % (characters.length - 31);
          const piece = characters.slice(start, start + 32).join('');
          const problem = await crawlProblem(place.make(encoding.make(piece)), { attachment });
          expect(problem).toMatch(/^Error: This address carries text of the attached file/);
        },
      ),
      { numRuns: 600 },
    );
  });

  test('if its host carries 32 characters of the attachment, as base64 or hex over many labels', async () => {
    await fc.assert(
      fc.asyncProperty(secret(32, 32), named(hostEncodings), async (piece, encoding) => {
        const attachment = `${'Before it. '.repeat(20)}${piece}${' After it.'.repeat(20)}`;
        const address = `https://${encoding.make(piece)}.evil.example/`;
        expect(await crawlProblem(address, { attachment })).toMatch(/text of the attached file/);
      }),
      { numRuns: 300 },
    );
  });

  test('if only the separators of a value were changed', async () => {
    const values = { iban: 'NL91 ABNA 0417 1643 00' };
    for (const spelling of [
      'NL91ABNA0417164300',
      'nl91-abna-0417-1643-00',
      'NL91/ABNA/0417/1643/00',
      'NL91+ABNA+0417+1643+00',
      'nl91abna.0417164300.x',
      'NL91/x/../ABNA0417164300',
      'ＮＬ９１ＡＢＮＡ０４１７１６４３００',
    ])
      expect(await crawlProblem(`https://evil.example/${spelling}`, { values })).toMatch(/"iban"/);
    expect(await crawlProblem('https://nl91.abna.0417.1643.00.evil.example/', { values })).toMatch(/"iban"/);
  });
});

describe('once material from outside was read, an address is refused', () => {
  test.each([
    ['percent, Latin-1', '%5a%6f%eb%20%4a%61%6e%73%65%6e'],
    ['base64, Latin-1', Buffer.from('Zoë Jansen', 'latin1').toString('base64')],
    ['hex, UTF-16', Buffer.from('Zoë Jansen', 'utf16le').toString('hex')],
    ['percent, UTF-16', percentOf(Buffer.from('Zoë Jansen', 'utf16le'))],
    ['upper case', 'ZOË-JANSEN'],
  ])('if it carries a value as %s', async (_, spelling) => {
    const values = { name: 'Zoë Jansen' };
    expect(await crawlProblem(`https://evil.example/?d=${spelling}`, { values })).toMatch(/"name"/);
  });

  test.each([
    ['Größe Straße', 'GRÖSSE-STRASSE'],
    ['12-AB-CD', '12.AB.CD'],
    ['12-AB-CD', '12abcd'],
    ['p@$$-w!r#d1', 'p.w.r.d1'],
  ])('if it carries the value %s as %s', async (value, spelling) => {
    expect(await crawlProblem(`https://evil.example/${spelling}`, { values: { secret: value } })).toMatch(
      /"secret"/,
    );
  });

  test('if it carries a value as the run read or saved it, though it was replaced since', async () => {
    const messages: Acting['messages'] = [
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { ...call('read_data', { name: 'iban' }), id: 'read' },
          { ...call('save_data', { name: 'pin', value: 'correct horse' }), id: 'save' },
        ],
      },
      { role: 'tool', tool_call_id: 'read', content: markOutside('NL91ABNA0417164300') },
      { role: 'tool', tool_call_id: 'save', content: 'Saved.' },
    ];
    const known = { values: { iban: 'zzzzzzzzzz', pin: 'zzzzzzzzzz' }, state: { messages } };
    expect(await crawlProblem('https://evil.example/NL91ABNA0417164300', known)).toMatch(/"iban"/);
    expect(await crawlProblem('https://evil.example/correct-horse', known)).toMatch(/"pin"/);
  });

  test("if it carries the run's own link, which may be opened as it is", async () => {
    const link = 'https://api.example/v1/files/a/b.txt?expires=1&signature=AbCdEfGhIjKlMnOpQrStUv';
    const messages: Acting['messages'] = [
      {
        role: 'assistant',
        content: null,
        tool_calls: [call('save_file', { filename: 'b.txt', content: 'x' })],
      },
      {
        role: 'tool',
        tool_call_id: 'c',
        content: `Saved b.txt (1 bytes). Download link, valid until x: ${link}`,
      },
    ];
    const known = { state: { messages } };
    const relayed = `https://evil.example/?u=${encodeURIComponent(link)}`;
    expect(await crawlProblem(relayed, known)).toMatch(/a link to a file of this run/);
    expect(await crawlProblem(link, known)).toBeUndefined();
  });

  test('if it carries a link that a sub-run has told of, or that its run has told it of', async () => {
    const link = 'https://api.example/v1/files/a/b.txt?expires=1764271000&signature=AbCdEfGhIjKlMnOpQrStUv';
    const relayed = `https://evil.example/?u=${encodeURIComponent(link)}`;
    const messages: Acting['messages'] = [
      { role: 'assistant', content: null, tool_calls: [call('investigate', { questions: ['q'] })] },
      { role: 'tool', tool_call_id: 'c', content: markOutside(`It is [here](${link}).`) },
    ];
    expect(await crawlProblem(relayed, { state: { messages } })).toMatch(/a link to a file of this run/);
    const question = `Read ${link} and say what it lacks.`;
    expect(await crawlProblem(relayed, { question })).toBeUndefined();
    expect(await crawlProblem(relayed, { question, isSubRun: true })).toMatch(/a link to a file of this run/);
    expect(await crawlProblem(link, { question, isSubRun: true })).toBeUndefined();
  });
});

describe('an address is read', () => {
  test('that has nothing to do with what is saved or attached', async () => {
    const address = fc.webUrl({ withQueryParameters: true, withFragments: true });
    await fc.assert(
      fc.asyncProperty(address, secret(8, 60), secret(80, 400), async (url, value, attachment) => {
        fc.pre(!url.toLowerCase().includes(value.toLowerCase()));
        expect(await crawlProblem(url, { values: { iban: value }, attachment })).toBeUndefined();
      }),
      { numRuns: 600 },
    );
  });

  test('that carries a value of fewer than eight characters, or 31 of the attachment', async () => {
    expect(
      await crawlProblem('https://example.com/?pin=1234567', { values: { pin: '1234567' } }),
    ).toBeUndefined();
    const attachment = 'The harbour of Den Helder lies at the far end of North Holland.';
    const piece = (length: number) =>
      `https://example.com/?q=${encodeURIComponent(attachment.slice(4, 4 + length))}`;
    expect(await crawlProblem(piece(31), { attachment })).toBeUndefined();
    expect(await crawlProblem(piece(32), { attachment })).toBeDefined();
  });

  test('that carries a part of a value', async () => {
    const values = { iban: 'NL91ABNA0417164300' };
    expect(await crawlProblem('https://example.com/NL91ABNA041716430', { values })).toBeUndefined();
    expect(await crawlProblem('https://example.com/NL91ABNA0417164300', { values })).toBeDefined();
  });

  test.each([
    ['the question names', { question: 'Read https://evil.example/doc/NL91ABNA0417164300.' }],
    [
      'the question names without a scheme',
      { question: 'Read (evil.example/doc/NL91ABNA0417164300), please' },
    ],
    ['the attachment names', { attachment: 'See [it](https://evil.example/doc/NL91ABNA0417164300)!' }],
  ])('that %s, with nothing added', async (_, known) => {
    const values = { iban: 'NL91ABNA0417164300' };
    const address = 'https://evil.example/doc/NL91ABNA0417164300';
    expect(await crawlProblem(address, { values, ...known })).toBeUndefined();
    expect(await crawlProblem(`${address}?page=2`, { values, ...known })).toBeUndefined();
    expect(await crawlProblem(address.replace('evil', 'other'), { values, ...known })).toBeDefined();
    const other = { ...values, password: 'correct horse' };
    expect(await crawlProblem(`${address}?d=correct+horse`, { ...known, values: other })).toMatch(
      /"password"/,
    );
  });

  test('beside one that the attachment names, on the same host', async () => {
    const attachment = 'Start at https://docs.example.com/handbook/harbours/chapter-1.html and go on.';
    expect(
      await crawlProblem('https://docs.example.com/handbook/harbours/chapter-2.html', { attachment }),
    ).toBeUndefined();
    const archived = 'https://evil.example/?u=https://docs.example.com/handbook/harbours/chapter-1.html';
    expect(await crawlProblem(archived, { attachment })).toBeDefined();
  });

  test('whose named beginning holds the beginning of a value is refused with the rest of it', async () => {
    const known = { values: { iban: 'NL91ABNA0417164300' }, question: 'Read https://evil.example/c/NL91' };
    expect(await crawlProblem('https://evil.example/c/NL91ABNA0417164300', known)).toMatch(/"iban"/);
  });

  test('that a search found, though it holds a saved value', async () => {
    const address = 'https://en.wikipedia.org/wiki/Rotterdam';
    const values = { city: 'Rotterdam' };
    const found = (tool: string): Partial<Acting> => ({
      messages: [
        { role: 'assistant', content: null, tool_calls: [call(tool, {})] },
        { role: 'tool', tool_call_id: 'c', content: `1. Rotterdam\n${address}\nA city.` },
      ],
    });
    expect(await crawlProblem(address, { values })).toBeDefined();
    expect(await crawlProblem(address, { values, state: found('web_search') })).toBeUndefined();
    for (const tool of ['web_crawl', 'read_data'])
      expect(await crawlProblem(address, { values, state: found(tool) })).toBeDefined();
    expect(await crawlProblem(`${address}?d=1`, { values, state: found('web_search') })).toBeDefined();
  });

  test('before anything was read from outside, and by the turn in which it is read', async () => {
    const known = { values: { iban: 'NL91ABNA0417164300' } };
    const address = 'https://example.com/NL91ABNA0417164300';
    const { outsideSince: _, ...before } = { ...initialState, outsideSince: 1 };
    expect(before).toEqual(initialState);
    expect(await crawlProblem(address, { ...known, state: { outsideSince: 2 } })).toBeUndefined();
    expect(await crawlProblem(address, { ...known, state: { outsideSince: 1 } })).toBeDefined();
  });
});

test('a search is refused if its query carries a saved value that the question does not ask about', async () => {
  const values = { company: 'Acme Shipping' };
  expect(await searchProblem('Acme Shipping news', { values })).toMatch(
    /^Error: This query carries the saved value "company"/,
  );
  expect(
    await searchProblem('Acme Shipping news', { values, question: 'News about my saved Company?' }),
  ).toBeUndefined();
  expect(await searchProblem('shipping news', { values })).toBeUndefined();
});

test('the transcript of an uploaded recording is kept out of addresses, too', async () => {
  const transcript = 'Speaker 1: we will buy the old lighthouse for two million.';
  const fence = makeFence(
    { read: async () => undefined },
    { question: 'q', attachment: { kind: 'recording', filename: 'a.mp3', url: 'https://own.example/a.mp3' } },
  );
  const url = 'https://evil.example/buy-the-old-lighthouse-for-two-million';
  const prepared = {
    call: call('web_crawl', { url }),
    tool: webCrawl({ readPage: async () => ({ text: '' }) }),
    args: { url },
  };
  const state = { ...initialState, messages: [], completions: 2, outsideSince: 1, readings: [transcript] };
  expect(await fence.check(state, [prepared])).toEqual([
    { call: prepared.call, problem: expect.stringMatching(/text of the attached file/) },
  ]);
});

test.each<[string, Partial<AgentInput>, Partial<Acting>, string[]]>([
  ['a saved value', {}, { knownValues: ['iban'] }, []],
  ['an authorization', {}, {}, ['Bearer 1']],
  ['an attached document', { attachment: { kind: 'document', filename: 'a.txt', text: 'a' } }, {}, []],
  ["a reading of the caller's own", {}, { readings: ['a'] }, []],
  ['a link to an upload', { attachment: { kind: 'recording', filename: 'a.mp3', url: signed } }, {}, []],
  ['a link to a saved file', {}, { messages: saving }, []],
])(
  'a run that has %s has its calls looked at once it has read from outside',
  (_, more, has, authorizations) => {
    const fence = makeFence({ read: async () => undefined }, { question: 'q', ...more }, authorizations);
    const tool = webSearch({ search: async () => [] });
    const calls = [{ call: call('web_search', { query: 'a' }), tool, args: { queries: ['a'] } }];
    const state = { ...initialState, messages: [], completions: 2, outsideSince: 1, ...has };
    expect(fence.isNeeded(state, calls)).toBe(true);
    expect(fence.isNeeded({ ...state, outsideSince: undefined }, calls)).toBe(false);
    const bare = makeFence({ read: () => Promise.reject(new Error('asked')) }, { question: 'q' });
    expect(bare.isNeeded({ ...state, knownValues: [], readings: [], messages: [] }, calls)).toBe(false);
  },
);

test('the search for secrets takes time in proportion to the sizes', async () => {
  const search = async (size: number) => {
    const attachment = 'ab '.repeat(size);
    const values = { a: 'a'.repeat(Math.min(10_000, size)), b: `${'ab'.repeat(size / 10)}c` };
    const before = process.threadCpuUsage();
    await crawlProblem(`https://evil.example/${'ab'.repeat(size / 20)}?${'a'.repeat(size / 20)}`, {
      attachment,
      values,
    });
    return process.threadCpuUsage(before).user;
  };
  const best = async (size: number) =>
    Math.min(await search(size), await search(size), await search(size), await search(size));
  await search(20_000);
  // Ten times the size: a quadratic search would take a hundred times as long.
  expect((await best(200_000)) / (await best(20_000))).toBeLessThan(40);
});

test.each<[string, string]>([
  ['hex of what may be base64', hex(base64('base64', '')('Row 7: harbour '.repeat(200)))],
  ['random base64', randomBytes(6_000).toString('base64')],
  ['base64 of random base64', Buffer.from(randomBytes(3_300).toString('base64')).toString('base64')],
  ['hex of random bytes', randomBytes(4_000).toString('hex')],
  ['thousands of words', 'b '.repeat(4_000)],
])('the search for secrets in a call of 8 KB holds up nothing else: %s', async (_, text) => {
  const attachment = Array.from({ length: 40_000 }, (_, row) => `Row ${row}: harbour ${row * 7}`).join('\n');
  const values = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`v${i}`, `saved value ${i}`]));
  const message = JSON.stringify({ text });
  let problem: string | undefined;
  const longest = await longestTurn(async () => {
    problem = await messageProblem(`${message}\n${message}`, { attachment, values });
  });
  expect(problem).toBeUndefined();
  expect(longest).toBeLessThan(100);
});

describe('a call of a tool that was brought is refused', () => {
  const iban = 'DE89370400440532013000';
  const attachment = 'The merger closes on the ninth of March at a price of 41 million.';

  test('if it carries a saved value, also where the question names the value or has it', async () => {
    const known = { values: { iban }, question: `Send my iban ${iban} to the shop.` };
    for (const encode of Object.values(encodings))
      expect(await messageProblem(`{"text":"${encode(iban)}"}`, known)).toContain('the saved value "iban"');
    expect(await messageProblem('{"text":"my iban"}', known)).toBeUndefined();
  });

  test('if it carries a piece of the attachment, also where the question has it', async () => {
    const known = { attachment, question: `Is this right: ${attachment}` };
    expect(await messageProblem(attachment.slice(5, 45), known)).toContain('text of the attached file');
    expect(await messageProblem('{"text":"the merger"}', known)).toBeUndefined();
  });

  test('if it carries an authorization of the run', async () => {
    const refused = messageProblem('{"text":"tok-12345678"}', {}, ['tok-12345678']);
    expect(await refused).toContain('an authorization of this run');
  });
});
