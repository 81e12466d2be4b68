import type { TextPiece } from '@errand/chat';
import type { Emit, ItemStatus, MessageItem, Part, ReasoningItem } from './items.ts';

type TextItem = MessageItem | ReasoningItem;

interface Kind {
  item: TextItem['type'];
  /** The field of a part that has its text. */
  field: 'text' | 'refusal';
  event: string;
  begin(): Part;
}

const kinds: Readonly<Record<Part['type'], Kind>> = {
  output_text: {
    item: 'message',
    field: 'text',
    event: 'response.output_text',
    begin: () => ({ type: 'output_text', text: '', annotations: [], logprobs: [] }),
  },
  refusal: {
    item: 'message',
    field: 'refusal',
    event: 'response.refusal',
    begin: () => ({ type: 'refusal', refusal: '' }),
  },
  reasoning_text: {
    item: 'reasoning',
    field: 'text',
    event: 'response.reasoning_text',
    begin: () => ({ type: 'reasoning_text', text: '' }),
  },
};

/** The message or the reasoning that is being written. */
interface TextWriter {
  write(piece: TextPiece, logprobs: unknown[]): void;
  cite(annotations: object[]): void;
  close(status: ItemStatus): void;
}

interface Open {
  item: TextItem;
  place: { item_id: string; output_index: number };
  part: Part;
}

/** Adds an item to the output, and returns its index. */
export type BeginText = (type: TextItem['type']) => { item: TextItem; index: number };

export function createTextWriter(begin: BeginText, emit: Emit): TextWriter {
  let open: Open | undefined;
  const partPlace = ({ place, item }: Open) => ({ ...place, content_index: item.content.length - 1 });
  const openPart = (type: Part['type'], { item, place }: Omit<Open, 'part'>): Open => {
    const part = kinds[type].begin();
    item.content.push(part);
    open = { item, place, part };
    emit('response.content_part.added', { ...partPlace(open), part });
    return open;
  };
  const closePart = (at: Open) => {
    const { part } = at;
    const { event, field } = kinds[part.type];
    const logprobs = part.logprobs && { logprobs: part.logprobs };
    emit(`${event}.done`, { ...partPlace(at), [field]: part[field], ...logprobs });
    emit('response.content_part.done', { ...partPlace(at), part });
  };
  const close = (status: ItemStatus) => {
    if (!open) return;
    closePart(open);
    const { item, place } = open;
    item.status = status;
    emit('response.output_item.done', { output_index: place.output_index, item });
    open = undefined;
  };
  const partFor = (type: Part['type']): Open => {
    if (open?.part.type === type) return open;
    if (open && open.item.type === kinds[type].item) {
      closePart(open);
      return openPart(type, open);
    }
    close('completed');
    const { item, index } = begin(kinds[type].item);
    emit('response.output_item.added', { output_index: index, item });
    return openPart(type, { item, place: { item_id: item.id, output_index: index } });
  };
  return {
    write({ type, text }, logprobs) {
      const at = partFor(type);
      const { field, event } = kinds[type];
      at.part[field] += text;
      at.part.logprobs?.push(...logprobs);
      emit(`${event}.delta`, { ...partPlace(at), delta: text, ...(at.part.logprobs && { logprobs }) });
    },
    cite(annotations) {
      if (annotations.length === 0) return;
      const at = partFor('output_text');
      for (const annotation of annotations) {
        const annotation_index = (at.part.annotations?.push(annotation) ?? 1) - 1;
        emit('response.output_text.annotation.added', { ...partPlace(at), annotation_index, annotation });
      }
    },
    close,
  };
}
