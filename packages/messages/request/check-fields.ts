import { fileFields } from '@errand/chat';
import { fieldRule, foldName } from '@errand/models';
import { fieldIssue, limits } from '@errand/platform';
import type { MessagesRequest } from '../wire.ts';
import type { Fields } from './fields.ts';
import { readNames } from './schema.ts';
import type { AskedModel } from './upstreams.ts';

/**
 * Checks a request that an upstream may get as it came, with fields that are not known here. Refuses what would make it cost
 * something else than the catalogue says: whether a request is served must not depend on which upstream answers.
 */
export function checkFields(request: MessagesRequest, { model, native }: AskedModel): void {
  if (native.length > 0) checkPassed(request, native);
  if (native.length > 0)
    refuseIn(request, '', isKeptFile, 'is not known: no files are kept here, send the bytes');
  if (model?.imageUrls === 'refuse')
    refuseIn(request, '', isAddressed, 'must be the bytes: this model takes no addresses');
}

function checkPassed(request: MessagesRequest, native: AskedModel['native']): void {
  const names = Object.keys(request);
  const most = limits.completionParameters;
  if (names.length > most) throw fieldIssue('', `The request must have at most ${most} parameters.`);
  for (const name of names) {
    const folded = foldName(name);
    // Some servers ignore the case of letters.
    if (folded !== name && readNames.has(folded)) throw fieldIssue(name, `must be written ${folded}`);
    if (request[name] === null || request[name] === false) continue;
    // Some servers read what is in `extra_body` as if it stood beside it.
    const isRefused = folded === 'extra_body' || native.some((each) => fieldRule(each, name) === 'refuse');
    if (isRefused) throw fieldIssue(name, 'is not accepted by this model');
  }
}

/** Names of what other protocols have a file or its address in. Messages have none of them. */
const addressNames: ReadonlySet<string> = new Set([
  ...fileFields,
  ...['file_url', 'document_url', 'input_image', 'input_audio', 'input_file'],
]);

/** Types of blocks that are a file. */
const fileTypes = /image|picture|video|audio|document|file/i;

type IsRefused = (name: string, value: unknown, beside: Fields) => boolean;

/**
 * The provider keeps files of its account: whoever knows the id of one would have the model read it. Results of the provider's own
 * tools have ids, too, which nobody reads.
 */
const isKeptFile: IsRefused = (name, _, { type }) =>
  name === 'file_id' && (type === 'file' || type === 'container_upload');

/** An address that the upstream would open. The source of a result of a search is a text, and none that anybody opens. */
const isAddressed: IsRefused = (name, value, { type }) => {
  if ((value ?? null) === null) return false;
  if (addressNames.has(name) || (name === 'source' && isAddress(value))) return true;
  const isFile = typeof type === 'string' && fileTypes.test(type);
  return isFile && (name === 'url' || (name === 'source' && typeof value === 'string'));
};

/** Refuses a field by its name at any depth: native upstreams get fields and blocks that are not known here. */
function refuseIn(value: unknown, at: string, isRefused: IsRefused, problem: string): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) refuseIn(each, `${at}[${index}]`, isRefused, problem);
    return;
  }
  for (const [name, each] of Object.entries(value)) {
    const place = at === '' ? name : `${at}.${name}`;
    const folded = foldName(name);
    if (isRefused(folded, each, value as Fields)) throw fieldIssue(place, problem);
    if (!isOfCaller(name, value as Fields)) refuseIn(each, place, isRefused, problem);
  }
}

const schemas: ReadonlySet<string> = new Set(['input_schema', 'input_examples', 'schema']);

/** What a model gave a tool is opened by nobody, and neither is what a tool takes, or the form of an answer. */
const isOfCaller = (name: string, { type }: Fields): boolean =>
  schemas.has(name) || (name === 'input' && typeof type === 'string' && type.endsWith('tool_use'));

function isAddress(source: unknown): boolean {
  if (typeof source !== 'object' || source === null) return false;
  return Object.entries(source as Fields).some(
    ([name, value]) => foldName(name) === 'url' || (foldName(name) === 'type' && value === 'url'),
  );
}
