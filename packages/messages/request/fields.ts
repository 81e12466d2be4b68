import { fieldIssue, stringField } from '@errand/platform';

export type Fields = Record<string, unknown>;

interface Placed {
  block: Fields & { type: string };
  at: string;
}

/** The blocks of a content, each with its place; a text is one block. Throws `invalid_request`. */
export function blocksOf(content: unknown, at: string): Placed[] {
  if (typeof content === 'string') return [{ block: { type: 'text', text: content }, at }];
  if (!Array.isArray(content)) throw fieldIssue(at, 'must be a string or a list of blocks');
  return content.map((block: unknown, index) => {
    const place = `${at}[${index}]`;
    if (typeof block !== 'object' || block === null || Array.isArray(block))
      throw fieldIssue(place, 'must be an object with a type');
    stringField(block as Fields, 'type', place);
    return { block: block as Placed['block'], at: place };
  });
}
