/** What a model wrote for whoever reads its answer, and whether that is all of the content that came. */
export function readContent(content: unknown): { text: string; isAll: boolean } {
  const written = textOf(content);
  const text = withoutThinking(written);
  return { text: text.toWellFormed(), isAll: text === written && !hasOtherParts(content) };
}

/** Some servers send a list of parts (Mistral, for reasoning models); the text parts are the answer. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = (content as Part[]).map((part) => (isText(part) ? part?.text : ''));
  return texts.filter((text) => typeof text === 'string').join('');
}

type Part = { type?: unknown; text?: unknown } | null;

const isText = (part: Part): boolean => part?.type === undefined || part.type === 'text';

const hasOtherParts = (content: unknown): boolean =>
  Array.isArray(content) && !(content as Part[]).every(isText);

/** Some servers send a model's thinking in tags at the start of its answer. A text that was cut within its thinking has no answer. */
function withoutThinking(text: string): string {
  if (!/^\s*<think>/.test(text)) return text;
  const end = text.indexOf('</think>');
  return end < 0 ? '' : text.slice(end + '</think>'.length).trimStart();
}
