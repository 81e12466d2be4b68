import { fieldIssue, stringField } from '@errand/platform';
import type { Item, ResponsesRequest } from '../request/schema.ts';
import { type Attached, readAttached } from './attached.ts';
import { isReply, newItems, replyTypes } from './new-items.ts';
import { readReplies } from './replies.ts';

interface Said {
  role: string;
  text: string;
}

const speakers = ['user', 'assistant', 'system', 'developer'];

/**
 * What a request asks and tells a run. The question is one text: the instructions, then what the user says; if an assistant said
 * something, all of them with their names. Where the run goes on from another and nobody says anything, there is none, and the
 * instructions of the run before hold; beside answers of calls, system messages are no question either. Throws
 * `invalid_request` with the place of what a run cannot take.
 */
export function readInput(request: ResponsesRequest): { fields: object; attached: Attached } {
  const { instructions } = request;
  const { items, previousRunId } = newItems(request);
  const replies = readReplies({ items, previousRunId });
  const attached: Attached[] = [];
  const said = items.flatMap(({ item, at }) => (isReply(item) ? [] : [readMessage(item, at, attached)]));
  if (attached.length > 1) throw fieldIssue('input', 'has more than one file: a run takes one');
  const isRule = ({ role }: Said) => role === 'system' || role === 'developer';
  const rules = said.filter(isRule).map(({ text }) => text);
  const spoken = said.filter((each) => !isRule(each) && each.text !== '');
  const isTalk = spoken.some(({ role }) => role === 'assistant');
  const texts = spoken.map(({ role, text }) => (isTalk ? `${role}: ${text}` : text));
  if (texts.length === 0 && !previousRunId) throw fieldIssue('input', 'must have a text');
  const answersCalls = Object.keys(replies).length > 0;
  const isSilent = [...(answersCalls ? [] : rules), ...texts].every((text) => text === '');
  const question = [instructions ?? '', ...rules, ...texts].filter((text) => text !== '').join('\n\n');
  const fields = {
    ...(!isSilent && { question }),
    ...(previousRunId && { previousRunId }),
    ...replies,
  };
  return { fields, attached: attached[0] ?? { fields: {} } };
}

function readMessage(item: Item, at: string, attached: Attached[]): Said {
  if ((item.type ?? 'message') !== 'message')
    throw fieldIssue(
      `${at}.type`,
      `must be message, ${replyTypes.join(' or ')}: a run knows what the run before it did by previous_response_id`,
    );
  const { role, content } = item;
  if (typeof role !== 'string' || !speakers.includes(role))
    throw fieldIssue(`${at}.role`, `must be one of ${speakers.join(', ')}`);
  if (typeof content === 'string') return { role, text: content };
  if (!Array.isArray(content)) throw fieldIssue(`${at}.content`, 'must be a string or a list of parts');
  const texts = content.flatMap((part: Item | null, index) => {
    const place = `${at}.content[${index}]`;
    const file = readAttached(part, place);
    if (file) attached.push(file);
    return file ? [] : [readText(part, place)];
  });
  return { role, text: texts.join('\n\n') };
}

function readText(part: Item | null, at: string): string {
  if (part?.type === 'input_text' || part?.type === 'output_text') return stringField(part, 'text', at);
  throw fieldIssue(`${at}.type`, 'must be input_text, output_text, input_file or input_image');
}
