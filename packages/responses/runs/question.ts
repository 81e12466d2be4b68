import { fieldIssue } from '@errand/platform';
import { stringField } from '../request/parts.ts';
import type { Item, ResponsesRequest } from '../request/schema.ts';
import { type Attached, readAttached } from './attached.ts';

export interface Asked {
  question: string;
  attached: Attached;
}

interface Said {
  role: string;
  text: string;
}

const speakers = ['user', 'assistant', 'system', 'developer'];

/**
 * What a request asks a run, as one text: its instructions, then what its user says. If an assistant said something, all of them
 * with their names. Throws `invalid_request` with the place of what a run cannot take.
 */
export function readQuestion({ instructions, input = [] }: ResponsesRequest): Asked {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const attached: Attached[] = [];
  const said = items.map((item, index) => readItem(item, `input[${index}]`, attached));
  if (attached.length > 1) throw fieldIssue('input', 'has more than one file: a run takes one');
  const isRule = ({ role }: Said) => role === 'system' || role === 'developer';
  const rules = [instructions ?? '', ...said.filter(isRule).map(({ text }) => text)];
  const spoken = said.filter((each) => !isRule(each) && each.text !== '');
  const isTalk = spoken.some(({ role }) => role === 'assistant');
  const texts = spoken.map(({ role, text }) => (isTalk ? `${role}: ${text}` : text));
  if (texts.length === 0) throw fieldIssue('input', 'must have a text');
  const question = [...rules, ...texts].filter((text) => text !== '').join('\n\n');
  return { question, attached: attached[0] ?? { fields: {} } };
}

function readItem(item: Item, at: string, attached: Attached[]): Said {
  if ((item.type ?? 'message') !== 'message')
    throw fieldIssue(`${at}.type`, 'must be message: a run is one exchange and calls its tools itself');
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
