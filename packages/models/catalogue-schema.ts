import { modelId, notList, oneOf, remoteLabel } from '@errand/platform';
import * as v from 'valibot';
import { capabilityNames } from './capabilities.ts';
import { decisionEngines, imageUrlRules, modelKinds, temperatureBounds, upstreamApis } from './catalogue.ts';
import { fieldRules, foldName, toolTypes } from './request-fields.ts';
import { type SpeechProtocolName, speechProtocols } from './speech/protocols.ts';

const maximumPrice = 10_000;
const longestSilenceSeconds = 3_600;

/** JavaScript reads the 31st of February as a day of March, so the date is written back and compared. */
function isDate(text: string): boolean {
  const date = new Date(text);
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(text)
  );
}

const amount = v.pipe(
  v.number('must be a number'),
  v.minValue(0, 'must not be negative'),
  v.maxValue(maximumPrice, `must be at most ${maximumPrice}`),
  v.check((value) => Number(value.toFixed(9)) === value, 'must have at most 9 decimals'),
);

const date = v.pipe(v.string('must be a string'), v.check(isDate, 'must be a date such as 2026-01-31'));

const price = v.object(
  {
    from: v.optional(date),
    inputPerMillionTokens: v.optional(amount),
    cachedInputPerMillionTokens: v.optional(amount),
    cacheWritePerMillionTokens: v.optional(amount),
    outputPerMillionTokens: v.optional(amount),
    perSecond: v.optional(amount),
  },
  'must be an object or a list of objects',
);

const prices = v.pipe(v.array(price), v.minLength(1, 'must have at least one price'));

const positive = v.pipe(
  v.number('must be a number'),
  v.finite('must be finite'),
  v.gtValue(0, 'must be over 0'),
);

const words = v.pipe(v.string('must be a string'), v.nonEmpty('must not be empty'));

const baseUrl = v.pipe(
  v.string('must be a string'),
  v.check((value) => {
    if (!URL.canParse(value)) return false;
    const { protocol, username, password } = new URL(value);
    return /^https?:$/.test(protocol) && username === '' && password === '';
  }, 'must be an http(s) URL without credentials'),
  v.check((value) => !/[?#]/.test(value), 'must have no query and no fragment: paths are added to it'),
  v.transform((value) => value.replace(/\/+$/, '')),
);

const urlPath = v.pipe(
  v.string('must be a string'),
  v.regex(/^(?:\/[\w.~!$&'()*+,;=:@%-]+)+$/, 'must be a path such as /v1/systemone'),
);

const wholeNumber = v.pipe(positive, v.integer('must be a whole number'));

/** Fields that the service reads and writes itself. */
const ownFields: ReadonlySet<string> = new Set(['model', 'messages', 'stream', 'stream_options', 'skills']);

const fields = v.pipe(
  notList,
  v.record(v.string(), oneOf(fieldRules), 'must be an object'),
  v.transform((rules) =>
    Object.fromEntries(Object.entries(rules).map(([name, rule]) => [foldName(name), rule])),
  ),
  v.check(
    (rules) => !Object.keys(rules).some((name) => ownFields.has(name)),
    `must not have ${[...ownFields].join(', ')}: the service writes these itself`,
  ),
  v.check((rules) => rules[toolTypes] !== 'drop', `must pass or refuse ${toolTypes}`),
);

const upstream = v.object({
  baseUrl,
  apiKeyEnv: v.optional(words),
  model: words,
  api: v.optional(oneOf(upstreamApis)),
  path: v.optional(urlPath),
  protocol: v.optional(oneOf(Object.keys(speechProtocols) as SpeechProtocolName[])),
  fields: v.optional(fields),
});

const pue = v.optional(v.pipe(v.number('must be a number'), v.minValue(1, 'must be at least 1')), 1.2);

const energy = v.union(
  [
    v.object({ watts: positive, batch: v.optional(positive, 1), pue }),
    v.pipe(
      v.object({ activeBillionParameters: positive, totalBillionParameters: positive, pue }),
      v.check(
        ({ activeBillionParameters: active, totalBillionParameters: total }) => active <= total,
        'must not have more active parameters than there are',
      ),
    ),
  ],
  'must be { watts, batch, pue } or { activeBillionParameters, totalBillionParameters, pue }',
);

const { least, most } = temperatureBounds;

const calibration = v.object({
  temperature: v.pipe(
    v.number('must be a number'),
    v.check((value) => value >= least && value <= most, `must be from ${least} to ${most}`),
  ),
});
const flag = v.boolean('must be true or false');

const capabilities = v.pipe(
  notList,
  v.strictObject(v.entriesFromList(capabilityNames, v.optional(flag)), ({ expected }) =>
    expected === 'never' ? `must be one of ${capabilityNames.join(', ')}` : 'must be an object',
  ),
);

export const modelKind = oneOf(modelKinds);

/** An entry of the catalogue; docs/catalogue.md says what its fields mean. */
export const modelSchema = v.object({
  id: v.pipe(v.string('must be a string'), modelId),
  kind: modelKind,
  description: v.optional(v.string('must be a string'), ''),
  ownedBy: v.optional(words, 'system'),
  releaseDate: v.optional(date),
  upstream,
  fallbacks: v.optional(v.array(upstream, 'must be a list'), []),
  price: v.lazy((input) => (Array.isArray(input) ? prices : price)),
  compressed: v.optional(flag),
  contextTokens: v.optional(wholeNumber),
  maxChoices: v.optional(wholeNumber),
  maxOutputTokens: v.optional(wholeNumber),
  outputTokens: v.optional(wholeNumber),
  hiddenReasoning: v.optional(flag),
  imageTokens: v.optional(wholeNumber),
  imageUrls: v.optional(oneOf(imageUrlRules)),
  tools: v.optional(flag),
  capabilities: v.optional(capabilities),
  silenceSeconds: v.optional(
    v.pipe(wholeNumber, v.maxValue(longestSilenceSeconds, `must be at most ${longestSilenceSeconds}`)),
  ),
  energy: v.optional(energy),
  engine: v.optional(oneOf(decisionEngines)),
  calibration: v.optional(calibration),
});

const mcpServer = v.strictObject({
  name: remoteLabel,
  url: v.pipe(
    v.string('must be a string'),
    v.check((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''), 'must be an http(s) URL'),
  ),
  authorizationEnv: v.optional(words),
  allowedTools: v.optional(v.array(words, 'must be a list')),
  accounts: v.union([v.literal('all'), v.array(words)], 'must be "all" or a list of account ids'),
});

/** Checks each field of a catalogue by itself; `relationProblems` checks fields against each other. */
export const catalogueSchema = v.object({
  models: v.pipe(v.array(modelSchema, 'must be a list'), v.minLength(1, 'must have at least one model')),
  mcpServers: v.optional(
    v.pipe(
      v.array(mcpServer, 'must be a list'),
      v.check(
        (servers) => new Set(servers.map(({ name }) => name)).size === servers.length,
        'must not have a name twice',
      ),
    ),
    [],
  ),
  roles: v.optional(
    v.object({
      reasoning: v.optional(words),
      vision: v.optional(words),
      speech: v.optional(words),
      decision: v.optional(words),
    }),
    {},
  ),
});
