import type { Input } from '@errand/chat';
import { fieldRule, type ModelUpstream } from '@errand/models';
import { isFields } from '@errand/platform';
import type { Fields } from '../request/fields.ts';
import type { Asked, MessagesRequest } from '../wire.ts';
import { nativeRequest } from './body.ts';

type Found = Pick<Input, 'fileBytes' | 'sealedBytes' | 'pictures' | 'files'>;

/** What upstreams that speak the protocol themselves read of a request, whatever their rules drop. */
export function nativeInput(
  asked: Pick<Asked, 'request' | 'tag'>,
  upstreams: readonly ModelUpstream[],
): Input {
  const found: Found = { fileBytes: 0, sealedBytes: 0, pictures: 0, files: 0 };
  const { system, messages, ...fields } = nativeRequest(asked, {});
  const texts = {
    ...fields,
    system: textsIn(system, found),
    messages: messages.map((message) => ({ ...message, content: textsIn(message.content, found) })),
  };
  const counted = Buffer.from(JSON.stringify(texts));
  const isSummarized =
    asksForSummary(asked.request) &&
    upstreams.some((upstream) => fieldRule(upstream, 'context_management') === 'pass');
  return { counted, textBytes: counted.length, ...found, isSummarized };
}

/**
 * Whether a request wants its conversation summarized where it is long, before it is answered: `compact_20260112` and
 * later ones. Other edits are made without the model. `compaction` asks for a summary in place of an answer.
 */
function asksForSummary({ context_management }: MessagesRequest): boolean {
  const { edits } = isFields(context_management) ? context_management : {};
  return (
    Array.isArray(edits) &&
    edits.some((edit) => isFields(edit) && isText(edit.type) && /^compact/i.test(edit.type))
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** The blocks of a content without what is no text of theirs. */
function textsIn(content: unknown, found: Found): unknown {
  if (Array.isArray(content)) return content.map((each) => textsIn(each, found));
  return isFields(content) ? textsOf(content, found) : content;
}

/** Fields that nobody but the provider can read. */
const seals: ReadonlySet<string> = new Set(['signature', 'encrypted_content', 'encrypted_index']);

function textsOf(block: Fields, found: Found): Fields {
  const kept = Object.entries(block).flatMap(([name, value]): [string, unknown][] => {
    const isSeal = seals.has(name) || (name === 'data' && block.type === 'redacted_thinking');
    if (isSeal && typeof value === 'string') {
      found.sealedBytes += Buffer.byteLength(value);
      return [];
    }
    if (name === 'content') return [[name, textsIn(value, found)]];
    return [[name, name === 'source' && isFields(value) ? sourceOf(block, value, found) : value]];
  });
  return Object.fromEntries(kept);
}

/** What a picture or a document has of text. */
function sourceOf(block: Fields, source: Fields, found: Found): Fields {
  const { type, data } = source;
  if (type === 'content') return textsOf(source, found);
  if (type !== 'base64' && type !== 'url') return source;
  if (block.type === 'image') found.pictures++;
  else {
    found.files++;
    if (typeof data === 'string') found.fileBytes += data.length;
  }
  return { type };
}
