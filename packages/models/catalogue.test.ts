import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConfigError } from '@errand/platform';
import { expect, test } from 'vitest';
import { findMcpServer, findModel, roleModel } from './find-model.ts';
import { loadCatalogue } from './load-catalogue.ts';
import { parseCatalogue } from './parse-catalogue.ts';

const upstream = { baseUrl: 'https://api.example.com/v1/', apiKeyEnv: 'MODEL_API_KEY', model: 'big-1' };
const price = { inputPerMillionTokens: 0.4, outputPerMillionTokens: 1.6 };
const sample = {
  models: [
    {
      id: 'writer',
      kind: 'chat',
      description: 'Writes.',
      upstream,
      price,
      compressed: true,
      contextTokens: 131_072,
      energy: { watts: 700, batch: 16, pue: 1.2 },
    },
    { id: 'eyes', kind: 'vision', upstream, price, compressed: false },
    {
      id: 'ears',
      kind: 'speech',
      price: { perSecond: 0.0001 },
      upstream: { ...upstream, protocol: 'deepgram' },
    },
    {
      id: 'judge',
      kind: 'decision',
      price: { inputPerMillionTokens: 0.1, outputPerMillionTokens: 0 },
      contextTokens: 16_384,
      upstream: { baseUrl: 'http://127.0.0.1:8080', model: 'clef' },
      energy: { activeBillionParameters: 27, totalBillionParameters: 27, pue: 1.2 },
    },
  ],
  roles: { reasoning: 'writer', vision: 'eyes', speech: 'ears', decision: 'judge' },
};
const secrets = (name: string) => (name === 'MODEL_API_KEY' ? 'sk-1' : undefined);

const problemsOf = (json: unknown): string[] => {
  try {
    parseCatalogue(json, secrets);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message.split('\n');
  }
  return [];
};

test('a catalogue is read with its secrets and its defaults', () => {
  const { models, roles } = parseCatalogue(sample, secrets);
  expect(roles).toEqual(sample.roles);
  const { price: _, ...first } = sample.models[0] ?? {};
  expect(models[0]).toEqual({
    ...first,
    prices: [price],
    ownedBy: 'system',
    capabilities: { tools: true, images: false, structuredOutput: true, streaming: true },
    upstream: { ...upstream, baseUrl: 'https://api.example.com/v1', apiKey: 'sk-1' },
    fallbacks: [],
  });
  expect(models.map(({ compressed }) => compressed)).toEqual([true, false, false, false]);
  expect(models[3]).toMatchObject({ engine: 'systemone', upstream: { baseUrl: 'http://127.0.0.1:8080' } });
  expect(models[3]?.upstream.apiKey).toBeUndefined();
});

test('servers of tools have their authorization from the environment, and only their accounts find them', () => {
  const url = 'https://tools.example.com/mcp';
  const mcpServers = [
    { name: 'stock', url, authorizationEnv: 'MODEL_API_KEY', accounts: 'all' },
    { name: 'books', url, accounts: ['account-1'] },
  ];
  const catalogue = parseCatalogue({ ...sample, mcpServers }, secrets);
  expect(findMcpServer(catalogue, 'account-2', 'stock')).toMatchObject({ url, authorization: 'sk-1' });
  expect(findMcpServer(catalogue, 'account-1', 'books')).toEqual(mcpServers[1]);
  expect(findMcpServer(catalogue, 'account-2', 'books')).toBeUndefined();
  const wrong = [
    { name: 'Two__Parts', url, accounts: 'all' },
    { name: 'stock', url, accounts: 'nobody' },
  ];
  expect(problemsOf({ ...sample, mcpServers: wrong })).toEqual([
    expect.stringContaining('mcpServers[0].name must be 1 to 32 small letters'),
    expect.stringContaining('mcpServers[1].accounts must be "all" or a list of account ids'),
  ]);
  const unset = [{ name: 'stock', url, authorizationEnv: 'NOT_SET', accounts: 'all' }];
  expect(problemsOf({ ...sample, mcpServers: unset })).toEqual([
    expect.stringContaining('mcpServers[0].authorizationEnv NOT_SET is not set'),
  ]);
  const notAsked = { ...sample, mcpServers: [{ name: 'stock', url: 'stock.example.com', accounts: 'all' }] };
  expect(problemsOf(notAsked)).toEqual([expect.stringContaining('mcpServers[0].url must be an http(s) URL')]);
  const broken = () => parseCatalogue({ ...sample, mcpServers: [mcpServers[0]] }, () => 'sk\n1');
  expect(broken).toThrow('mcpServers[0].authorizationEnv MODEL_API_KEY has characters');
  expect(problemsOf({ ...sample, mcpServers: [mcpServers[0], mcpServers[0]] })).toEqual([
    expect.stringContaining('mcpServers must not have a name twice'),
  ]);
});

test('a model can do what its kind can, and what the catalogue says otherwise', () => {
  const [writer, eyes, ears, judge] = parseCatalogue(sample, secrets).models;
  const chat = { tools: true, images: false, structuredOutput: true, streaming: true };
  const nothing = { tools: false, images: false, structuredOutput: false, streaming: false };
  expect([writer, eyes, ears, judge].map((model) => model?.capabilities)).toEqual([
    chat,
    { ...chat, images: true },
    nothing,
    nothing,
  ]);
  const said = (more: object) =>
    parseCatalogue({ models: [{ ...sample.models[0], ...more }] }, secrets).models[0]?.capabilities;
  expect(said({ capabilities: { images: true, structuredOutput: false } })).toEqual({
    ...chat,
    images: true,
    structuredOutput: false,
  });
  expect(said({ capabilities: { tools: false } })).toEqual({ ...chat, tools: false });
  expect(said({ tools: false })).toEqual({ ...chat, tools: false });
  expect(said({ tools: false, capabilities: { tools: false, streaming: false } })).toEqual({
    ...chat,
    tools: false,
    streaming: false,
  });
});

test('a model is found by its id or its variant’s', () => {
  const catalogue = parseCatalogue(sample, secrets);
  expect(findModel(catalogue, 'writer')).toMatchObject({ model: { id: 'writer' }, compressed: false });
  expect(findModel(catalogue, 'writer-compressed')).toMatchObject({
    model: { id: 'writer' },
    compressed: true,
  });
  for (const id of ['eyes-compressed', 'ears-compressed', 'nobody', '-compressed', ''])
    expect(findModel(catalogue, id)).toBeUndefined();
  expect(roleModel(catalogue, 'decision')?.id).toBe('judge');
});

test('a label reader keeps its calibration, and the mass that its labels must have', () => {
  const entry = { id: 'judge', kind: 'decision', engine: 'prompt_logprobs', upstream, price };
  const { models } = parseCatalogue(
    {
      models: [
        { ...entry, calibration: { temperature: 0.05, offset: -0.5 }, minLabelMass: 0 },
        { ...entry, id: 'b' },
      ],
    },
    secrets,
  );
  expect(models[0]).toMatchObject({ calibration: { temperature: 0.05, offset: -0.5 }, minLabelMass: 0 });
  expect(models[1]).not.toHaveProperty('calibration');
  expect(models[1]).not.toHaveProperty('minLabelMass');
});

test('a role that no model has is absent', () => {
  const catalogue = parseCatalogue({ ...sample, roles: { reasoning: 'writer' } }, secrets);
  expect(roleModel(catalogue, 'speech')).toBeUndefined();
});

test('every problem is listed, each with its place', () => {
  const wrong = {
    models: [
      { id: '', kind: 'chat', upstream: { baseUrl: 'ftp://x', model: '' }, price },
      { id: 'b', kind: 'poet', upstream, price },
      {
        id: 'c',
        kind: 'chat',
        upstream,
        price: { inputPerMillionTokens: -1, outputPerMillionTokens: 1e-10 },
      },
      { id: 'd', kind: 'chat', upstream, price, fallbacks: [{ baseUrl: 'https://me:secret@x', model: 'm' }] },
      {
        id: 'e',
        kind: 'chat',
        upstream,
        price,
        energy: { watts: 0 },
        releaseDate: 'soon',
        contextTokens: 1.5,
      },
    ],
  };
  expect(problemsOf(wrong)).toEqual([
    'catalogue: models[0].id must be 1 to 128 letters, digits and . _ : @ / -',
    'catalogue: models[0].upstream.baseUrl must be an http(s) URL without credentials',
    'catalogue: models[0].upstream.model must not be empty',
    'catalogue: models[1].kind must be chat, vision, speech, decision or embedding',
    'catalogue: models[2].price.inputPerMillionTokens must not be negative',
    'catalogue: models[2].price.outputPerMillionTokens must have at most 9 decimals',
    'catalogue: models[3].fallbacks[0].baseUrl must be an http(s) URL without credentials',
    'catalogue: models[4].releaseDate must be a date such as 2026-01-31',
    'catalogue: models[4].contextTokens must be a whole number',
    'catalogue: models[4].energy.watts must be over 0',
  ]);
});

test.each([
  [
    { upstream: { ...upstream, baseUrl: 'https://x/v1?version=2' } },
    'upstream.baseUrl must have no query and no fragment: paths are added to it',
  ],
  [{ upstream: { ...upstream, protocol: 'deepgram' } }, 'upstream.protocol deepgram is for speech models'],
  [{ maxChoices: 0 }, 'maxChoices must be over 0'],
  [{ maxOutputTokens: 1.5 }, 'maxOutputTokens must be a whole number'],
  [{ outputTokens: 0 }, 'outputTokens must be over 0'],
  [{ hiddenReasoning: 'yes' }, 'hiddenReasoning must be true or false'],
  [
    { runs: { parameters: { max_tokens: 5 } } },
    'runs.parameters.max_tokens must be one of temperature, top_p, top_k, min_p, seed, presence_penalty, frequency_penalty, repetition_penalty, reasoning_effort, verbosity, parallel_tool_calls, reasoning, thinking, enable_thinking, thinking_budget, chat_template_kwargs',
  ],
  [{ runs: { parameters: ['seed'] } }, 'runs.parameters must be an object'],
  [{ runs: { parameters: { thinking: 'x'.repeat(4_096) } } }, 'runs.parameters must have at most 4096 bytes'],
  [{ runs: { effort: 'low' } }, 'runs.effort must be parameters'],
  [{ kind: 'decision', runs: {} }, 'runs is for chat and vision models'],
  [{ imageTokens: 1.5 }, 'imageTokens must be a whole number'],
  [{ price: 7 }, 'price must be an object or a list of objects'],
  [{ price: [] }, 'price must have at least one price'],
  [{ price: { ...price, from: '2026-02-31' } }, 'price.from must be a date such as 2026-01-31'],
  [
    { price: [price, { inputPerMillionTokens: -1, outputPerMillionTokens: 1, from: '2027-01-01' }] },
    'price[1].inputPerMillionTokens must not be negative',
  ],
  [
    { price: [price, { outputPerMillionTokens: 1, from: '2027-01-01' }] },
    'price[1].inputPerMillionTokens must be given for a chat model',
  ],
  [{ price: [price, price] }, 'price[1].from must be given'],
  [
    { price: [price, { ...price, from: '2027-01-01' }, { ...price, from: '2027-01-01' }] },
    'price[2].from 2027-01-01 is there twice',
  ],
  [{ silenceSeconds: 0 }, 'silenceSeconds must be over 0'],
  [{ silenceSeconds: 3_601 }, 'silenceSeconds must be at most 3600'],
  [{ firstByteSeconds: 0.5 }, 'firstByteSeconds must be a whole number'],
  [{ firstByteSeconds: 601 }, 'firstByteSeconds must be at most 600'],
  [{ tools: 'no' }, 'tools must be true or false'],
  [{ kind: 'decision', tools: true }, 'tools is for chat and vision models'],
  [{ calibration: { temperature: 2 } }, 'calibration is for decision models'],
  [
    { kind: 'decision', calibration: { temperature: 2 } },
    'calibration is for the engines prompt_logprobs and token_ids_logprob',
  ],
  [
    { kind: 'decision', engine: 'systemone', calibration: { temperature: 2 } },
    'calibration is for the engines prompt_logprobs and token_ids_logprob',
  ],
  ...[0, -1, 0.049, 20.1].map((temperature): [object, string] => [
    { kind: 'decision', engine: 'prompt_logprobs', calibration: { temperature } },
    'calibration.temperature must be from 0.05 to 20',
  ]),
  [
    { kind: 'decision', engine: 'token_ids_logprob', calibration: { temperature: '2' } },
    'calibration.temperature must be a number',
  ],
  [{ kind: 'decision', engine: 'token_ids_logprob', calibration: 2 }, 'calibration must be an object'],
  [{ kind: 'decision', engine: 'token_ids_logprob', calibration: {} }, 'calibration.temperature is required'],
  [
    { kind: 'decision', engine: 'token_ids_logprob', calibration: { temperature: 1, offset: 21 } },
    'calibration.offset must be from -20 to 20',
  ],
  [{ upstream: { ...upstream, engine: 'token_ids_logprob' } }, 'upstream.engine is for decision models'],
  [
    { kind: 'decision', fallbacks: [{ ...upstream, engine: 'token_ids_logprob' }] },
    'upstream.engine is for the engines prompt_logprobs and token_ids_logprob',
  ],
  [
    {
      kind: 'decision',
      engine: 'prompt_logprobs',
      fallbacks: [{ ...upstream, engine: 'systemone' }],
    },
    'fallbacks[0].engine must be prompt_logprobs or token_ids_logprob',
  ],
  [{ minLabelMass: 0.1 }, 'minLabelMass is for decision models'],
  [
    { kind: 'decision', minLabelMass: 0.1 },
    'minLabelMass is for the engines prompt_logprobs and token_ids_logprob',
  ],
  [{ kind: 'decision', engine: 'token_ids_logprob', minLabelMass: 1.1 }, 'minLabelMass must be from 0 to 1'],
  [{ kind: 'decision', capabilities: { images: true } }, 'capabilities.images is for chat and vision models'],
  [{ tools: false, capabilities: { tools: true } }, 'capabilities.tools says another thing than tools'],
  [{ capabilities: { tools: 'no' } }, 'capabilities.tools must be true or false'],
  [
    { capabilities: { vision: true } },
    'capabilities.vision must be one of tools, images, structuredOutput, streaming',
  ],
  [{ capabilities: ['tools'] }, 'capabilities must be an object'],
  [{ imageUrls: 'fetch' }, 'imageUrls must be pass, inline or refuse'],
  [{ upstream: { ...upstream, fields: ['provider'] } }, 'upstream.fields must be an object'],
  [
    { upstream: { ...upstream, fields: { provider: 'keep' } } },
    'upstream.fields.provider must be pass, drop or refuse',
  ],
  [
    { fallbacks: [{ ...upstream, fields: { Messages: 'drop' } }] },
    'fallbacks[0].fields must not have model, messages, stream, stream_options, skills: the service writes these itself',
  ],
  [
    { upstream: { ...upstream, fields: { 'tools[].type': 'drop' } } },
    'upstream.fields must pass or refuse tools[].type',
  ],
  [{ releaseDate: '2026-02-31' }, 'releaseDate must be a date such as 2026-01-31'],
  [
    { energy: { activeBillionParameters: 8, totalBillionParameters: 7 } },
    'energy must not have more active parameters than there are',
  ],
])('a model with %j is refused', (wrong, problem) => {
  expect(problemsOf({ models: [{ id: 'a', kind: 'chat', upstream, price, ...wrong }] })).toEqual([
    `catalogue: models[0].${problem}`,
  ]);
});

test('a key that no header can carry is refused at the start, and not shown', () => {
  const models = [{ id: 'a', kind: 'chat', upstream, price }];
  expect(() => parseCatalogue({ models }, () => 'sk-secret\nof mine')).toThrow(
    /^catalogue: models\[0\]\.upstream\.apiKeyEnv MODEL_API_KEY has characters that no key has$/,
  );
});

test('rules between fields and entries are checked', () => {
  const other = { baseUrl: 'https://x', model: 'm', apiKeyEnv: 'OTHER_KEY' };
  const wrong = {
    models: [
      { id: 'a', kind: 'chat', upstream, price: { inputPerMillionTokens: 1 } },
      { id: 'a-compressed', kind: 'chat', upstream, price, fallbacks: [other] },
      { id: 'ears', kind: 'speech', upstream: other, price },
      { id: 'meaning', kind: 'embedding', upstream: { ...upstream, api: 'responses' }, price: {} },
      {
        id: 'b',
        kind: 'chat',
        upstream,
        price,
        fallbacks: [{ ...upstream, api: 'messages' }],
        imageUrls: 'inline',
      },
    ],
    roles: { reasoning: 'nobody', speech: 'a', embedding: 'a' },
  };
  expect(problemsOf(wrong)).toEqual([
    'catalogue: models[0].price.outputPerMillionTokens must be given for a chat model',
    'catalogue: models[1].fallbacks[0].apiKeyEnv OTHER_KEY is not set',
    'catalogue: models[1].id a-compressed is there twice',
    'catalogue: models[2].price.perSecond must be given for a speech model',
    'catalogue: models[2].upstream.apiKeyEnv OTHER_KEY is not set',
    'catalogue: models[3].price.inputPerMillionTokens must be given for an embedding model',
    'catalogue: models[3].upstream.api is for chat and vision models',
    'catalogue: models[4].imageUrls must be pass or refuse with upstream.api messages',
    'catalogue: roles.reasoning names no model of the catalogue',
    'catalogue: roles.speech must name a speech model',
    'catalogue: roles.embedding must name an embedding model',
  ]);
});

test('rules between fields and entries are checked even if other fields are invalid', () => {
  const unset = { baseUrl: 'https://x', model: 'm', apiKeyEnv: 'OTHER_KEY' };
  const wrong = {
    models: [
      { id: 'a', kind: 'chatty', upstream: unset, fallbacks: [7], price },
      { id: 'b', kind: 'chat', upstream: { ...unset, baseUrl: 'ftp://x' }, price: {} },
      { id: 'b', kind: 'speech', upstream, price: { perSecond: 'much' } },
    ],
    roles: { reasoning: 'a', vision: 'nobody' },
  };
  const problems = problemsOf(wrong).map((problem) => problem.replace('catalogue: ', ''));
  for (const problem of [
    'models[0].kind must be chat, vision, speech, decision or embedding',
    'models[0].upstream.apiKeyEnv OTHER_KEY is not set',
    'models[1].upstream.baseUrl must be an http(s) URL without credentials',
    'models[1].upstream.apiKeyEnv OTHER_KEY is not set',
    'models[1].price.inputPerMillionTokens must be given for a chat model',
    'models[2].id b is there twice',
    'roles.vision names no model of the catalogue',
  ])
    expect(problems).toContain(problem);
  expect(problems.filter((problem) => problem.startsWith('roles.reasoning'))).toEqual([]);
});

test.each([[null], ['text'], [[]], [{}], [{ models: [] }]])('%j is no catalogue', (json) => {
  expect(problemsOf(json)).not.toEqual([]);
});

const settings = { secret: secrets, model: {} };

test('the file comes first, then the one provider, then the fallback', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-'));
  try {
    const file = path.join(folder, 'catalogue.json');
    await writeFile(file, JSON.stringify(sample));
    const model = { baseUrl: 'http://127.0.0.1:11434/v1', id: 'llama', apiKey: 'sk-2' };
    const fallback = () => parseCatalogue(sample, secrets);
    expect((await loadCatalogue({ ...settings, model, modelCatalogue: file }, fallback)).models).toHaveLength(
      4,
    );
    const single = await loadCatalogue({ ...settings, model }, fallback);
    expect(single.models[0]?.upstream).toMatchObject({
      baseUrl: model.baseUrl,
      model: 'llama',
      apiKey: 'sk-2',
    });
    expect(single.roles).toEqual({ reasoning: 'llama', vision: 'llama' });
    expect((await loadCatalogue(settings, fallback)).models).toHaveLength(4);
    await expect(loadCatalogue(settings)).rejects.toThrow(ConfigError);
    await writeFile(file, '{"models":');
    await expect(loadCatalogue({ ...settings, modelCatalogue: file })).rejects.toThrow(
      /^catalogue: .* is not JSON/,
    );
    await expect(loadCatalogue({ ...settings, modelCatalogue: `${file}x` })).rejects.toThrow(
      'cannot be read',
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});
