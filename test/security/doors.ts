import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Tool } from '@errand/agent/testing';
import {
  cutText,
  density,
  initialState,
  makeFence,
  prepareCall,
  safeFilename,
  webCrawl,
  writeTodos,
} from '@errand/agent/testing';
import { withOrderedSchema } from '@errand/agents';
import type { ChatRequest } from '@errand/chat';
import {
  boundRequest,
  compressMessages,
  createChunkRelay,
  createEventReader,
  createWrittenText,
  editMessages,
  readChatBody,
  readMessages,
  streamAnswer,
  translatedMessages,
  upstreamBody,
  writeMessages,
} from '@errand/chat/testing';
import { detectDocumentExtension } from '@errand/documents/testing';
import { ask, readMessage } from '@errand/mcp/testing';
import {
  checkFields,
  nativeInput,
  nativeStream,
  parseRequest as parseMessages,
  readModel,
  toCompletion as toCompletionOfMessages,
} from '@errand/messages/testing';
import { countFileTokens, toMessageBody } from '@errand/models';
import {
  cleanWords,
  countTokens,
  findWords,
  parseCatalogue,
  readRetryAfter,
  refusalBytes,
  toTranscript,
} from '@errand/models/testing';
import { readSchema, readWritten, tellValue } from '@errand/outputs';
import { quoteOf } from '@errand/passages';
import {
  checkJsonSize,
  hasCurrent,
  limits,
  parseJson,
  parseOrderedJson,
  stringifyOrderedJson,
  validate,
} from '@errand/platform';
import {
  callResult,
  defineTools,
  listPage,
  messageOf,
  type RemoteServer,
  resultText,
  withoutSecrets,
} from '@errand/remote-tools/testing';
import { parseRequest, readRunRequest, refuseFields, toCompletion } from '@errand/responses/testing';
import { createRunSchema } from '@errand/runs/testing';
import { newSkillSchema, parseSkillMarkdown, wrapInstructions } from '@errand/skills/testing';
import { headerCharset, headOnly, recordingSeconds } from '@errand/text';
import { keyName, parseForm, readUploadId, shownName } from '@errand/uploads/testing';
import { plainText, readTarget, searchLimits, searxng, wikipedia } from '@errand/web/testing';
import { createMcpHandler, ResourceNotFoundError, Server } from '@modelcontextprotocol/server';

/** A text of about so many characters. */
type MakeText = (characters: number) => string;

export interface Door {
  name: string;
  /** The characters of the longest text that comes through. */
  limitCharacters: number;
  /** Texts that a careless reader takes the square of. */
  texts: Readonly<Record<string, MakeText>>;
  /** Everything that is done with the text in the main thread. Errors are answers too. */
  read(text: string): unknown;
}

const fill =
  (piece: string, before = '', after = ''): MakeText =>
  (characters) =>
    before + piece.repeat(Math.max(1, Math.floor(characters / piece.length))) + after;

const each = (pieces: readonly string[], before = '', after = ''): Record<string, MakeText> =>
  Object.fromEntries(
    pieces.map((piece) => [
      `${JSON.stringify(before)} ${JSON.stringify(piece)} ${JSON.stringify(after)}`,
      fill(piece, before, after),
    ]),
  );

const headerCharacters = 16_000;
const modelCharacters = 1_000_000;
const white = ['\u00a0', ' ', '\t', '\n', ' \n', '\r\n'];
const marks = ['\u0301\u0327', '\u0327\u0301', '\u0301\uff9e'];

const upstream = { baseUrl: 'http://models.test/v1', model: 'x' };
const price = { inputPerMillionTokens: 1, outputPerMillionTokens: 2 };
/** The rule that has the most to read. */
const catalogue = parseCatalogue(
  {
    models: [
      { id: 'm', kind: 'vision', upstream, price, imageUrls: 'inline' },
      {
        ...{ id: 'claude', kind: 'vision', price, imageUrls: 'refuse' },
        upstream: { ...upstream, api: 'messages', caching: 'anthropic' },
        fallbacks: [{ ...upstream, caching: 'anthropic' }],
      },
    ],
  },
  () => undefined,
);

const ourNames = {
  secrets: ['aaaaaaaaaaaaaaaa1', 'A1A1A1A1A1A1A1A2', 'sk-sk-sk-sk'],
  hosts: ['a.a.a.b'],
  models: [{ id: 'judge', names: ['a/a-a-a-a-a-a-a-b', 'aaaaaaaa1'] }],
};
const ourModel = { id: 'writer', names: ['aaaa', 'a-a-a'] };

const asked = { version: '1', betas: undefined, requestId: 'r', messageId: 'msg_1', tag: '01234567' };

const messageWith = (before: string) => `{"model":"claude","max_tokens":9,${before}`;

const chatBody = (entries: string) => `{"model":"m","messages":[${entries}{"role":"user"}]`;

const runWith = (part: string) => `{"model":"agent:default","input":[{"role":"user","content":[{${part}`;

const rowsSchema = `{"type":"object","properties":{"rows":{"type":"array","items":{"anyOf":[${'{"const":"a"},'.repeat(40)}{"type":"object","properties":{"name":{"type":"string"}},"additionalProperties":false}]}}},"additionalProperties":false}`;

const callOfAsk = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{';

const agentDoor = createMcpHandler(() => {
  const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {}, resources: {} } });
  server.setRequestHandler('tools/call', () => ({ content: [] }));
  server.setRequestHandler('resources/read', ({ params }) => {
    throw new ResourceNotFoundError(params.uri);
  });
  return server;
});

const jsonDoors: Door[] = [
  {
    name: 'the body of a chat',
    limitCharacters: limits.jsonBodyBytes,
    texts: {
      ...each(
        ['1,', '{},', '[],', '{"role":"a"},', '{"role":1},', '"x",'],
        '{"model":"m","messages":[',
        '1]}',
      ),
      ...each(['{"role":"a"},', '{"role":"a","content":[]},'], '{"model":"m","messages":[', '{"role":"a"}]}'),
      ...each(
        [
          ...['{"role":"user","content":"a"},', '{"role":"system","content":[{"type":"text","text":"a"}]},'],
          '{"role":"tool","tool_call_id":"!","content":"a"},',
          '{"role":"assistant","content":"a","tool_calls":[{"id":"!","function":{"name":"a","arguments":"{"}}]},',
        ],
        '{"model":"m","messages":[{"role":"user","content":"a"},',
        '{"role":"user","content":"a"}]}',
      ),
      ...each(
        ['A', ';a', ','],
        '{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:a',
        '!"}}]}]}',
      ),
      ...each(['"a":1,', '"a":[],', '"\\u0061":1,', ' '], `${chatBody('')},`, '"b":1}'),
      ...each(['[', '{"a":', '"', '\\', '"\\', '9'], chatBody('')),
      ...each(
        [
          ...['1,', '"x",', '{"type":"text","text":"x"},', '{"type":"thinking","thinking":[]},'],
          ...['{"type":"image_url","image_url":{"url":"http://a"}},', '{"type":"text","text":"x","a":[1]},'],
          '{"type":"input_audio","input_audio":{"data":"AAAA"}},',
        ],
        '{"model":"m","messages":[{"role":"system","content":[',
        '1]}]}',
      ),
      ...each(
        ['A', '/'],
        '{"model":"m","messages":[{"role":"a","content":[{"type":"file","file":{"file_data":"',
        '!"}}]}]}',
      ),
      ...each(['{"type":"function"},', '1,'], `${chatBody('')},"tools":[`, '{"type":"function"}]}'),
      ...each(['"a":1,', '"\\u0061":{},'], `${chatBody('')},"extra_body":{`, '"b":1}}'),
    },
    read(text) {
      checkJsonSize(text);
      const read = readChatBody(catalogue, text, { keyId: 'key', accountId: 'account' });
      const { model, body, sent } = read;
      const writtenMessages = writeMessages(
        editMessages(readMessages(sent, body.messages), compressMessages),
      );
      boundRequest(model.prices[0], { ...read, skill: undefined });
      upstreamBody({ bytes: sent, body, writtenMessages }, model.upstream);
      return toMessageBody(body, { maxTokens: 1 });
    },
  },
  {
    name: 'the body of a message',
    limitCharacters: limits.jsonBodyBytes,
    texts: {
      ...each(['1,', '{},', '[],', '"x",'], messageWith('"messages":['), '1]}'),
      ...each(
        [
          ...['{"role":"user","content":"a"},', '{"role":"system","content":"a"},'],
          ...['{"role":"assistant","content":"a"},', '{"role":"assistant","content":[]},'],
          '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"b"}]},',
          '{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"tool_use","id":"a","name":"b"}]},',
          '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"b"}]},',
          '{"role":"system","content":[{"type":"tool_addition","tool":{"name":"a"}}]},',
        ],
        messageWith('"messages":['),
        '{"role":"user","content":"a"}]}',
      ),
      ...each(
        [
          ...[
            '{"type":"text","text":"a","cache_control":{}},',
            '{"type":"x"},',
            '{"type":"x","y":[{"z":[1]}]},',
          ],
          '{"type":"image","source":{"type":"base64","media_type":"a","data":"A"}},',
          '{"type":"document","source":{"type":"content","content":[{"type":"text","text":"a"}]}},',
          '{"type":"compaction","content":"a","signature":"b"},',
          '{"type":"tool_result","tool_use_id":"a","content":[{"type":"tool_reference","tool_name":"b"}]},',
        ],
        messageWith('"messages":[{"role":"user","content":['),
        '{"type":"text","text":"a"}]}]}',
      ),
      ...each(
        ['x-anthropic-billing-header:', 'x-anthropic-billing-header:\\n', '\\n', ' '],
        messageWith('"messages":[{"role":"user","content":"a"}],"system":"'),
        '"}',
      ),
      ...each(
        ['{"type":"text","text":"a"},', '{"type":"text","text":"x-anthropic-billing-header:"},'],
        messageWith('"messages":[{"role":"user","content":"a"}],"system":['),
        '{"type":"text","text":"a"}]}',
      ),
      ...each(
        ['{"name":"a"},', '{"name":"a","defer_loading":true},', '{"type":"bash_1","name":"a"},'],
        messageWith('"messages":[{"role":"user","content":"a"}],"tools":['),
        '{"name":"a"}]}',
      ),
      ...each(
        ['"a":1,', '"\\u0061":[],', ' '],
        messageWith('"messages":[{"role":"user","content":"a"}],'),
        '"b":1}',
      ),
      ...each(['0', '9', '0001'], messageWith('"messages":[{"role":"user","content":"a"}],"b":0.1'), '1}'),
      ...each(
        ['1e999,', '0.10000000000000001,', '{"__proto__":1e999},'],
        messageWith('"messages":[{"role":"user","content":"a"}],"b":['),
        '1]}',
      ),
      ...each(
        ['_', 'A', '!'],
        messageWith(
          '"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","name":"a","id":"toolu_errand_',
        ),
        '"}]}]}',
      ),
      ...each(
        ['_', 'n', '!', '\\n'],
        messageWith(
          '"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"a","signature":"errand_01234567_m',
        ),
        '"}]}]}',
      ),
    },
    read(text) {
      checkJsonSize(text);
      const request = parseMessages(text);
      checkFields(request, readModel({ catalogue }, request.model));
      nativeInput({ ...asked, request }, []);
      const completion = toCompletionOfMessages({ catalogue }, { ...asked, request });
      return countFileTokens({ messages: [], ...completion });
    },
  },
  {
    name: 'the body of a response',
    limitCharacters: limits.jsonBodyBytes,
    texts: {
      ...each(['1,', '{},', '[],', '"x",', '{"type":"reasoning"},'], '{"model":"m","input":[', '1]}'),
      ...each(
        [
          ...['{"role":"user","content":"a"},', '{"role":"developer","content":"a"},'],
          ...[
            '{"role":"assistant","content":[]},',
            '{"type":"function_call","call_id":"a","name":"b","arguments":""},',
          ],
          '{"type":"reasoning","content":[{"type":"reasoning_text","text":"a"}]},',
          '{"type":"function_call_output","call_id":"a","output":"b"},',
        ],
        '{"model":"m","input":[',
        '{"role":"user","content":"a"}]}',
      ),
      ...each(
        ['{"type":"input_text","text":"a"},', '{"type":"input_image","image_url":"a"},', '{"type":"x"},'],
        '{"model":"m","input":[{"role":"user","content":[',
        '{"type":"input_text","text":"a"}]}]}',
      ),
      ...each(
        ['{"type":"function","name":"a"},', '{"type":"namespace","name":"a","tools":[]},'],
        '{"model":"m","input":"a","tools":[',
        '{"type":"function","name":"a"}]}',
      ),
    },
    read(text) {
      checkJsonSize(text);
      const request = parseRequest(text);
      refuseFields(request);
      const own = typeof request.input === 'string' ? [] : (request.input ?? []);
      return toCompletion(request, { earlier: [], own });
    },
  },
  {
    name: 'the body of a response that is a run',
    limitCharacters: limits.jsonBodyBytes,
    texts: {
      ...each(
        [' ', 'A', '\\n', '='],
        runWith('"type":"input_file","filename":"a.pdf","file_data":"'),
        '!"}]}]}',
      ),
      ...each(
        [' ', 'A', ';', ','],
        runWith('"type":"input_image","image_url":"data:image/png;base64,'),
        '!"}]}]}',
      ),
      ...each(['a', 'a;', ' '], runWith('"type":"input_image","image_url":"data:image/'), '"}]}]}'),
      ...each(
        ['{"type":"input_text","text":"a"},', '{"type":"input_file","file_id":"a"},', 'null,'],
        '{"model":"agent:default","input":[{"role":"user","content":[',
        '{"type":"x"}]}]}',
      ),
      ...each(
        [
          '{"role":"user","content":"a"},',
          '{"role":"assistant","content":"a"},',
          '{"role":"system","content":"a"},',
        ],
        '{"model":"agent:default","input":[',
        '{"role":"user","content":"a"}]}',
      ),
      ...each(
        ['"a":1,', '"\\u0061":{},', '"a":{"type":"string"},', ' '],
        '{"model":"agent:default","input":"a","text":{"format":{"type":"json_schema","schema":{"type":"object","properties":{',
        '"b":1}}}}}',
      ),
      ...each(
        ['{"type":"web_search"},', '{"type":"vision"},'],
        '{"model":"agent:default","input":"a","tools":[',
        '{"type":"vision"}]}',
      ),
    },
    read(text) {
      checkJsonSize(text);
      return readRunRequest({ request: parseRequest(text), text });
    },
  },
  {
    name: 'the body of a run',
    limitCharacters: limits.jsonBodyBytes,
    texts: {
      ...each(['x', '😀', ...white], '{"question":"', '"}'),
      ...each(['\\u00a0', '\\ud800'], '{"question":"', '"}'),
      ...each(
        ['a', 'ü', 'a.', 'ü.', '../', '%', '@', ...marks],
        '{"question":"x","documentUrl":"http://a',
        '.b"}',
      ),
      ...each(['1,', '"x",'], '{"question":"x","metadata":[', '1]}'),
      ...each(
        ['"a":1,', '"\\u0061":{},', '"a":{"type":"string"},', ' '],
        '{"question":"x","outputSchema":{"type":"object","properties":{',
        '"b":1}}}',
      ),
      ...each(['1,', '"x",', '[],'], '{"question":"x","outputSchema":{"enum":[', '1]}}'),
      ...each(['a', '(a+)+', '\\n'], '{"question":"x","outputSchema":{"type":"string","pattern":"', '"}}'),
      'entries of metadata': (n) =>
        `{"question":"x","metadata":{${Array.from({ length: n / 12 }, (_, i) => `"k${i}":1,`).join('')}"k":1}}`,
    },
    read(text) {
      checkJsonSize(text);
      return validate(createRunSchema, withOrderedSchema(parseJson(text), text));
    },
  },
  {
    name: 'a message of an agent',
    limitCharacters: limits.jsonBodyBytes,
    texts: {
      ...each(['1,', '{},', '[],', '"x",'], '{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":[', '1]}}'),
      ...each(['"a":1,', '"\\u0061":[],', ' '], '{"jsonrpc":"2.0","id":1,"method":"x","params":{', '"b":1}}'),
      ...each(['"1":1,', '"a":{},'], callOfAsk, '"question":"x"}}}'),
      ...each(['x', '\\n', '\\u00a0', '/'], `${callOfAsk}"question":"`, '"}}}'),
      ...each(
        ['x', '/', '.'],
        '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"skill://',
        '"}}',
      ),
      ...each(['x', '\\n'], '{"jsonrpc":"2.0","method":"x","id":"', '"}'),
    },
    async read(text) {
      checkJsonSize(text);
      const { message, argumentsJson } = readMessage(text);
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
      const request = new Request('http://a.test/mcp', { method: 'POST', headers });
      const answer = await agentDoor.fetch(request, { parsedBody: message });
      await answer.text();
      return validate(ask.arguments, JSON.parse(argumentsJson));
    },
  },
  {
    name: "the schema of a run's result",
    limitCharacters: limits.outputSchemaBytes,
    texts: {
      ...each(
        ['"a":1,', '"\\u0061":{"type":"string"},'],
        '{"type":"object","properties":{',
        '"b":{"type":"string"}}}',
      ),
      ...each(
        ['1,', '"a",', '{"const":1},', '{"$ref":"#"},'],
        '{"type":"object","properties":{"a":{"anyOf":[',
        '1]}}}',
      ),
      ...each(['1,', '"a",'], '{"type":"object","properties":{"a":{"enum":[', '1]}}}'),
      ...each(['[', '{"default":', '{"items":'], '{"type":"object","default":'),
      ...each(
        ['(', 'a*', '(a|', '\\\\'],
        '{"type":"object","properties":{"a":{"type":"string","pattern":"',
        '"}}}',
      ),
      ...each(['%', '~', '/'], '{"$ref":"#/$defs/', '"}'),
    },
    read(text) {
      checkJsonSize(text);
      return readSchema(parseOrderedJson(text).value);
    },
  },
  {
    name: 'the body of a decision',
    limitCharacters: limits.decisionBodyBytes,
    texts: {
      ...each(['[],', '1,', '{"a":1},', '"x",', '1e999,'], '[', '1]'),
      ...each(['"__proto__":1,', '"a":1e999,', '"a":1,'], `${'['.repeat(900)}{`, `"b":1}${']'.repeat(900)}`),
      ...each(['\\u0022', '\\n'], '"', '"'),
    },
    read(text) {
      checkJsonSize(text);
      return stringifyOrderedJson(parseOrderedJson(text).value);
    },
  },
];

const yamlPieces = [
  ...[
    '? ',
    '[',
    '{',
    '{a: ',
    '[a: ',
    '- ',
    'a: ',
    '? - ',
    '? a: ',
    '{? ',
    '&a ',
    '*a ',
    '! ',
    '!a ',
    '"',
    '"\\',
  ],
  ...[
    "'",
    "'\n\n",
    '#',
    '#\n',
    '\n',
    ' \n',
    '|\n',
    '>\n ',
    ',',
    ':',
    '%',
    '\t',
    '<<: ',
    'a:\n',
    '-\n',
    '?\n',
  ],
];

const skillDoors: Door[] = [
  {
    name: 'the front matter of a SKILL.md',
    limitCharacters: 8_000,
    texts: {
      ...each(yamlPieces, '---\n', '\n---\nx'),
      ...each(yamlPieces, '---\nname: x\ndescription: ', '\n---\nx'),
      'keys in keys': (n) => `---\n${'? '.repeat(n / 32)}\n---\nx`,
      keys: (n) => `---\n${Array.from({ length: n / 8 }, (_, i) => `k${i}: 1\n`).join('')}---\nx`,
    },
    read: parseSkillMarkdown,
  },
  {
    name: 'a SKILL.md',
    limitCharacters: limits.jsonBodyBytes,
    texts: {
      ...each(['\n---    x', '\n---', '\r\n', '-', '---\t', ...white], '---\nname: x\n'),
      ...each(['\n', 'x', '<', ' '], '---\nname: x\n---\n'),
    },
    read: (text) => validate(newSkillSchema, parseSkillMarkdown(text)),
  },
  {
    name: 'the instructions of a skill',
    limitCharacters: limits.skillInstructionsCharacters,
    texts: {
      ...each(['<', '< ', '<   /   ', '</user_skill', '<\u200b/\u200b', '<user_skill>']),
      ...each([' ', '/ ', '\u200b', '\u00a0'], '<'),
    },
    read: wrapInstructions,
  },
];

const nameTexts = {
  ...each(['/', '\\', '.', '-', ' ', '\u200b', '\u00a0', '_', ...marks], 'a', 'a.md'),
  ...each(['.', '/', 'x', '.md'], '', '.md'),
};

const nameDoors: Door[] = [
  {
    name: 'the snippet of a source, and the claim that cites it',
    limitCharacters: modelCharacters,
    texts: each(['. ', '| |x', '\n', '。', '1. ', 'a', ...white, ...marks]),
    read: (text) => quoteOf(text, text),
  },
  {
    name: "the name of a caller's file",
    limitCharacters: limits.jsonBodyBytes,
    texts: nameTexts,
    read: (text) => keyName(shownName(text)),
  },
  {
    name: "the name of a model's file",
    limitCharacters: modelCharacters,
    texts: nameTexts,
    read: safeFilename,
  },
  {
    name: 'the id of an upload',
    limitCharacters: limits.jsonBodyBytes,
    texts: each(['.', 'a', '=', ' ', 'é'], 'upload_'),
    read: (text) => readUploadId('secret', 'account', text),
  },
  {
    name: 'an address',
    limitCharacters: modelCharacters,
    texts: each(
      ['a', 'ü', 'a.', 'ü.', '1.', '0x', '../', '%', '@', ':', '[', '①', ...marks],
      'http://a',
      '.b',
    ),
    read: (text) => readTarget(new Set(), text),
  },
];

const formHead = '--edge\r\nContent-Disposition: form-data; name="file"';
const formEnd = '\r\n\r\nx\r\n--edge--\r\n';
const formStart = `${formHead}; filename="a.txt"\r\n\r\n`;
const packetCharacters = 65_536;

/** Each packet comes in a turn of its own, as from a socket. */
async function* packetsOf(text: string): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += packetCharacters) {
    await nextTurn();
    yield Buffer.from(text.slice(at, at + packetCharacters), 'latin1');
  }
}

const readForm = (text: string): Promise<void> =>
  parseForm(Readable.from(packetsOf(text)), 'multipart/form-data; boundary=edge', {
    field() {},
    async file({ filename = '', stream }) {
      shownName(filename);
      for await (const _ of stream);
    },
  });

async function readStream(text: string): Promise<void> {
  const relay = createChunkRelay(streamAnswer({ clock: Date.now }, { modelId: 'm', separate: false }));
  const reader = createEventReader((data) => relay.accept(data));
  for await (const packet of packetsOf(text)) reader.push(packet);
  reader.end();
}

async function readMessageStream(text: string): Promise<void> {
  const request = { model: 'm', messages: [] };
  const answering = { stream: () => streamAnswer({ clock: Date.now }, { modelId: 'm', separate: false }) };
  const translated = translatedMessages({ clock: Date.now }).stream({ answering } as unknown as ChatRequest);
  for (const { relay } of [nativeStream({ ...asked, request }), translated]) {
    const reader = createEventReader((data) => relay.accept(data));
    for await (const packet of packetsOf(text)) reader.push(packet);
    reader.end();
  }
}

const headerDoors: Door[] = [
  {
    name: "a host's or a caller's header",
    limitCharacters: headerCharacters,
    texts: {
      ...each(['"', '"x', '"x W/', ' ', ';', '; charset', ',', '1', '(', ' 1', 'W/']),
      ...each([' ', "'", '=', '; charset='], 'text/html; charset', 'x'),
      ...each([' ', "'"], 'text/html; charset=', '"'),
      ...each(['1', ' '], ' 1.', 'x'),
    },
    read: (text) => [hasCurrent(text, '"x"'), headerCharset(text), readRetryAfter(text, text)],
  },
  {
    name: 'a refusal of an upstream',
    limitCharacters: refusalBytes,
    texts: {
      ...each(
        [
          ...[
            'a',
            'A1',
            'a.',
            '1.',
            'a-',
            'a:',
            ':',
            '/',
            '*',
            'a*',
            '%25',
            '&#97;',
            '\\',
            '\\u0061',
            '\u200b',
            ' ',
          ],
          ...[
            'a@',
            'sk-',
            'org-',
            'bearer ',
            'api key: ',
            'in organization A ',
            'Account A ',
            "project '",
            '🙂',
          ],
          ...[
            'cookie a=',
            'cookie: a=a; ',
            'password a',
            'api key "',
            'account a-',
            'a-:',
            'a1:8000',
            '/a',
            '/data/',
            '~/',
            'c:\\',
            'c:\\ a\\',
            ' a\\',
            'a-a/',
          ],
        ],
        'no: ',
        '!',
      ),
      ...each(['[', '{"error":', '{"detail":[', '"'], '', '1'),
      ...each(['{"loc":["a"],"msg":"b"},', '"a",'], '{"detail":[', '1]}'),
    },
    read: (text) => cleanWords(findWords(text).text ?? text, { hidden: ourNames, model: ourModel }),
  },
  {
    name: 'a form',
    limitCharacters: limits.documentBytes,
    texts: {
      ...each(['\r\n--edg', '\r\n', '-', '\r', '--edge', '\r\n--'], formStart, '\r\n--edge--\r\n'),
      ...each(['\r\n--edge\r\nX: y\r\n\r\n', '\r\n--edge\r\n'], formStart, '\r\n--edge--\r\n'),
    },
    read: readForm,
  },
  {
    name: 'the header of a part of a form',
    limitCharacters: headerCharacters,
    texts: {
      ...each(
        ['"', '\\', '\\"', ';', '; a=b', ' ', '%41', "'", '=', "filename*=utf-8''%41;"],
        formHead,
        formEnd,
      ),
      ...each(['"', '\\', '\\"', 'a', '%41', '/'], `${formHead}; filename="`, `"${formEnd}`),
      ...each(['\r\n ', 'X: y\r\n', ':', '\r\n\t'], `${formHead}\r\n`, formEnd),
    },
    read: readForm,
  },
];

const attachment = Array.from({ length: 40_000 }, (_, row) => `Row ${row}: harbour ${row * 7_919}`).join(
  '\n',
);
const fence = makeFence(
  { read: async () => ({ value: 'NL91 ABNA 0417 1643 00', isOutside: false }) },
  { question: 'Which?', attachment: { kind: 'document', filename: 'rows.txt', text: attachment } },
);
const afterOutside = {
  ...initialState,
  messages: [],
  completions: 2,
  outsideSince: 1,
  knownValues: ['iban'],
};

const oddServer: RemoteServer = {
  label: 'odd',
  url: 'https://tools.test/mcp',
  authorization: 'Bearer token-1',
};
/** Its authorization repeats itself, and is as long as one may be. */
const periodicServer: RemoteServer = {
  ...oddServer,
  authorization: 'a'.repeat(limits.authorizationCharacters),
};
const serversTool: Tool = {
  name: 'odd__say',
  description: '',
  parameters: { jsonSchema: { type: 'object' } },
  timeoutMilliseconds: 1,
  sends: (args) => ({ message: messageOf(args) }),
  run: async () => ({ text: '' }),
};

const ftyp = '\0\0\0\x08ftyp';
const ebml = '\x1a\x45\xdf\xa3\x80\x18\x53\x80\x67\xff';

/** A long first report, and short ones after it. */
const usageAndReports = (n: number, usage: string): string => {
  const reports = 'data: {"type":"message_delta","usage":{}}\n\n'.repeat(n / 80);
  return `data: {"type":"message_start","message":{"usage":${usage}}}\n\n${reports}`;
};
const messageBegun = 'data: {"type":"message_start","message":{"content":[]}}\n\n';

const answerDoors: Door[] = [
  {
    name: 'the text of a search result',
    limitCharacters: searchLimits.answerBytes,
    texts: each(['<a', '<', '&', '&a', '&#', '&#1', '&#1;', '&amp;', 'a', '</', ...white], 'x<a ', 'x'),
    read: plainText,
  },
  {
    name: 'the answer of a search',
    limitCharacters: searchLimits.answerBytes,
    texts: each(
      ['1,', '{},', '[],', '{"title":"a","url":"http://a"},', '{"title":"a","url":"http://a","content":1},'],
      '{"results":[',
      '{"title":"a","url":"http://a"}]}',
    ),
    read: (text) => searxng({ provider: 'searxng', baseUrl: 'http://search.test' }).read(JSON.parse(text)),
  },
  {
    name: "the answer of Wikipedia's search",
    limitCharacters: searchLimits.answerBytes,
    texts: {
      'a long address and many titles': (n) =>
        `{"query":{"general":{"articlepath":"/${'x'.repeat(n / 2)}$1"},"search":[${'{"title":"a"},'.repeat(n / 30)}{"title":"a"}]}}`,
    },
    read: (text) => wikipedia({ provider: 'wikipedia' }).read(JSON.parse(text)),
  },
  {
    name: 'the stream of a model',
    limitCharacters: limits.streamEventCharacters,
    texts: {
      ...each(['\r', '\n', 'data:\n', 'data: 1\n\n', ':\n', 'x', 'id:\r', 'data: {"choices":[]}\n\n']),
      ...each(['\\"', '"', '\\', 'a', 'NaN,', '-', '-NaN', 'Infinity ', '[', '{"a":'], 'data: "', '\\\n\n'),
      ...each(['{"delta":{"content":"x"}},', '{"index":1},', '1,'], 'data: {"choices":[', '1]}\n\n'),
      'fields of chunks without choices': (n) =>
        Array.from({ length: n / 40 }, (_, i) => `data: {"choices":[],"k${i}":"xxxxxxxx"}\n\n`).join(''),
    },
    read: readStream,
  },
  {
    name: 'the stream of a model that speaks Messages',
    limitCharacters: limits.streamEventCharacters,
    texts: {
      ...each(['\r', '\n', 'data:\n', 'data: 1\n\n', 'data: {"type":"x"}\n\n', 'x'], messageBegun),
      ...each(
        ['\\"', '"', '\\', 'a', '[', '{"a":'],
        `${messageBegun}data: {"type":"content_block_delta","a":"`,
        '\\\n\n',
      ),
      ...each(
        [
          'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}\n\n',
          'data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use"}}\n\n',
          'data: {"type":"message_delta","usage":{"output_tokens":1}}\n\n',
          'data: {"type":"message_start","message":{"usage":{"input_tokens":1}}}\n\n',
        ],
        messageBegun,
      ),
      ...each(
        ['_', 'n', '\\n'],
        `${messageBegun}data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"errand_`,
        '"}}\n\n',
      ),
      'a usage of many fields, and many reports': (n) =>
        usageAndReports(n, `{${Array.from({ length: n / 20 }, (_, i) => `"k${i}":0`).join(',')}}`),
      'a usage of many steps, and many reports': (n) =>
        usageAndReports(n, `{"iterations":[${'{"type":"compaction"},'.repeat(n / 40)}{}]}`),
    },
    read: readMessageStream,
  },
  {
    name: 'the answer of a model',
    limitCharacters: 8 * modelCharacters,
    texts: {
      ...each(['{"message":{"content":"x"}},', '1,'], '{"choices":[', '1]}'),
      ...each(['{"text":"x"},', '[],', '1,'], '{"choices":[{"message":{"content":[', '1]}}]}'),
      ...each(['{"function":{"name":"a"}},'], '{"choices":[{"message":{"tool_calls":[', '1]}}]}'),
    },
    read: (text) => createWrittenText().add(JSON.parse(text)),
  },
  {
    name: "the arguments of a model's call",
    limitCharacters: modelCharacters,
    texts: {
      ...each(['1,', '{},', '{"content":"x","status":"pending"},', '"\\ud800",'], '{"todos":[', '1]}'),
      ...each([...white, '[', '{"a":', '"', '\\'], '', '{"todos":'),
    },
    read: (json) => {
      const call = { id: 'a', type: 'function' as const, function: { name: 'write_todos', arguments: json } };
      return prepareCall([writeTodos()], call);
    },
  },
  {
    name: 'the value that a model writes',
    limitCharacters: limits.valueCharacters,
    texts: {
      ...each(['{"', '{"\\', '{ ', '{', '"', '\\"', '{"a":', '{"rows":[]}', '{}']),
      ...each(
        ['{"name":"a","size":1},', '{"name":null},', '1,', '[],', '"A",', '{},'],
        '{"value":{"rows":[',
        '1]},"sources":[]}',
      ),
      ...each(
        ['{"pointer":"/rows/0/name","numbers":[1]},', '{"pointer":"rows[0].name","numbers":"1, 2"},', '1,'],
        '{"value":{"rows":[{"name":"a"}]},"sources":[',
        '1]}',
      ),
      ...each(
        ['/a', '[', '$.', '%', '~', '.'],
        '{"value":{"rows":[]},"sources":[{"numbers":[1],"pointer":"',
        '"}]}',
      ),
      ...each(
        ['[', '/', '%', '.'].map((sign) => `{"numbers":[1],"pointer":"${sign.repeat(1_000)}"},`),
        '{"value":{"rows":[]},"sources":[',
        '1]}',
      ),
      ...each(['aB', 'a_', ' ', '\\n'], '{"rows":[{"name":"', '"}]}'),
    },
    read(text) {
      const written = readWritten(text, rowsSchema);
      return written && tellValue(written, rowsSchema);
    },
  },
  {
    name: 'the address that a model gives, once something was read from outside',
    limitCharacters: limits.modelAddressCharacters,
    texts: each(
      ['QWJj', 'aGVsbG8td29ybGQ.', 'a1.b2/', '%2561', '%eb', '---%20', '6162', 'Row%201:%20harbour%20'],
      'https://evil.example/',
    ),
    read: (url) => {
      const call = { id: 'a', type: 'function' as const, function: { name: 'web_crawl', arguments: '{}' } };
      return fence.check(afterOutside, [
        { call, tool: webCrawl({ readPage: async () => ({ text: '' }) }), args: { url } },
      ]);
    },
  },
  {
    name: "the arguments of a call of a server's tool",
    limitCharacters: limits.remoteArgumentsCharacters,
    texts: {
      ...each(['QWJj', '%2561', '6162', 'Row 1: harbour ', '\\\\u0041', '\ud800'], '{"a":"', '"}'),
      ...each(['"QWJj",', '[],', '{"a":"b"},', '1,'], '{"a":[', '1]}'),
      ...each(['[', '{"a":'], '{"b":'),
    },
    read: (json) => {
      const call = { id: 'a', type: 'function' as const, function: { name: 'odd__say', arguments: json } };
      return fence.check(afterOutside, [prepareCall([serversTool], call)]);
    },
  },
  {
    name: 'the list of a server of tools',
    limitCharacters: limits.remoteAnswerBytes,
    texts: {
      ...each(['1,', '{},', '{"name":"a","inputSchema":{"type":"object"}},'], '{"tools":[', '1]}'),
      ...each(
        ['a', 'token-1', 'token-', 'dG9rZW4tMQ', '\\ud800', ...white],
        '{"tools":[{"name":"a","inputSchema":{"type":"object"},"description":"',
        '"}]}',
      ),
      ...each(['{"a":', '[', '"b":1,'], '{"tools":[{"name":"a","inputSchema":{"type":"object","a":'),
      ...each(
        ['{"name":"a","inputSchema":{"type":"object"}},'],
        '{"tools":[',
        '{"name":"b","inputSchema":{"type":"object"}}]}',
      ),
    },
    read(text) {
      const page = listPage['~standard'].validate(JSON.parse(text));
      if ('value' in page) defineTools([{ server: oddServer, tools: page.value.tools }], 32_768);
    },
  },
  {
    name: "what a server's tool answers",
    limitCharacters: limits.remoteAnswerBytes,
    texts: each([
      ...['x', 'token-', 'token-1', 'dG9rZW4tMQ', 'bearer ', '\ud800', ...white],
      ...['746f6b', '%74', '\\u0074', '%74o%6b', 'Rva2VuLT'],
    ]),
    read: (text) => withoutSecrets(oddServer, resultText({ content: [{ type: 'text', text }] })),
  },
  {
    name: 'what the tool of a server with an authorization that repeats itself answers',
    limitCharacters: limits.remoteAnswerBytes,
    texts: each([
      'a',
      `${'a'.repeat(63)}!`,
      `${'a'.repeat(limits.authorizationCharacters - 2)}!`,
      'YWFh',
      '61',
      '%61',
    ]),
    read: (text) => withoutSecrets(periodicServer, text),
  },
  {
    name: "the result of a server's tool",
    limitCharacters: limits.remoteAnswerBytes,
    texts: each(
      ['{},', '1,', '{"type":"text","text":"x"},', '{"type":"resource","resource":{"uri":"a"}},'],
      '{"content":[',
      '1]}',
    ),
    read(text) {
      const result = callResult['~standard'].validate(JSON.parse(text));
      if ('value' in result) withoutSecrets(oddServer, resultText(result.value));
    },
  },
  {
    name: 'a transcript',
    limitCharacters: 8 * modelCharacters,
    texts: {
      ...each(
        ['{"start":1,"end":2,"speaker":1,"text":"x"},', '{},', '{"text":1},'],
        '[',
        '{"text":"x","end":1}]',
      ),
      ...each(['\\u00a0', ' ', '\\n'], '[{"end":1,"text":"x', 'x"}]'),
    },
    read: (text) => toTranscript({ duration: 1, language: 'en', parts: JSON.parse(text), text: '' }),
  },
  {
    name: 'a result in a conversation',
    limitCharacters: limits.pageCharacters,
    texts: each(['x', 'é', '中', '😀', ' ', '\ud800']),
    read: (text) => cutText(text, Math.floor(text.length / 2 / density(text))),
  },
  {
    name: 'a text whose tokens are counted',
    limitCharacters: limits.jsonBodyBytes,
    texts: each([
      ...['x', 'xq', '!', '1', 'X', 'é', '中', '😀', "'s", ' x', '\u0301', '-=', 'ab!', ...white],
      ...[`${'a'.repeat(512)}1`, `${'!'.repeat(512)}1`, `${'aé\u0301'.repeat(170)} `],
    ]),
    read: countTokens,
  },
  {
    name: 'the first bytes of a file',
    limitCharacters: limits.documentBytes,
    texts: {
      ...each(['word/document.xm', 'l', '\0', 'META-INF/container.xm', 'word/document1'], 'PK\x03\x04'),
      ...each(['application/vnd.oasis.opendocument.spreadshee', 'xl/workbook11111'], 'PK\x03\x04'),
      ...each(['E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0', 'E\0'], '\xd0\xcf\x11\xe0'),
      ...each(['%PDF', ' ', '<!', '\n'], ' '),
    },
    read: (text) => detectDocumentExtension({ bytes: Buffer.from(text, 'latin1') }),
  },
  {
    name: 'the first bytes of a recording',
    limitCharacters: limits.recordingPartBytes,
    texts: {
      ...each(['\0\0\0\x08trak', '\0\0\0\x10tfhdtfdt', 'tfdt', '\0\0\0\x08free'], ftyp),
      ...each(['\0\0\0\x08trak', '\0\0\0\x10trak\0\0\0\x08mdia'], `${ftyp}\0\x10\0\0moov`),
      ...each(['\x1f\x43\xb6\x75\xff', '\xe7\x80', '\x1f\x43\xb6\x75\x84', '\xec\x80'], ebml),
      ...each(['\xe7\x80', '\xec\x85\x1f\x43\xb6\x75\xff', '\xa3\x80'], `${ebml}\x1f\x43\xb6\x75\xff`),
      ...each(['OggS', `OggS\0\x02${'\0'.repeat(21)}`, `OggS\0\x02${'\0'.repeat(20)}\xff`]),
      ...each(['\xff', '\xff\xf3\x80\0', '\xff\xf1\x50\x80\x01\x1f\xfc', '\xff\xfb', '\xff\xff\x10\0']),
      ...each(['data', '\0', 'JUNK\0\0\0\0'], 'RIFF\0\0\0\0WAVE'),
      ...each(['ID3\x04\0\0\0\0\0\0', 'ID3']),
    },
    read: (text) => {
      const bytes = Buffer.from(text, 'latin1');
      return recordingSeconds(headOnly(bytes, bytes.length), '.mp3');
    },
  },
];

/** Every door through which a stranger's text reaches the main thread, apart from pages and documents. */
export const doors: readonly Door[] = [
  ...jsonDoors,
  ...skillDoors,
  ...nameDoors,
  ...headerDoors,
  ...answerDoors,
];
