/** What an upstream's error answer says, as it came: anything may be in it. */
export interface FoundWords {
  text?: string;
  code?: string;
  type?: string;
  param?: string;
}

type Fields = Record<string, unknown>;

const deepest = 6;
const mostItems = 10;

/** The places where servers put their message, the most telling first. */
const names = ['error', 'message', 'detail', 'errors', 'err_msg', 'msg', 'title'];

/**
 * Finds the message of an error answer, and the innermost `code`, `type` and `param` that are texts. Reads the shapes of OpenAI,
 * Mistral, FastAPI and vLLM, Ollama, Anthropic, Google, TGI, llama.cpp, OpenRouter and Deepgram, and plain text.
 */
export function findWords(body: string): FoundWords {
  const text = body.trim();
  const json = parse(text);
  if (json === undefined) return /^[{[]/.test(text) || isPage(text) || text === '' ? {} : { text };
  const way: Fields[] = [];
  const found = textOf(json, way);
  const word = (name: string): string | undefined =>
    way.map((fields) => fields[name]).findLast((value) => typeof value === 'string');
  const [code, type, param] = [word('code'), word('type'), word('param')];
  return {
    text: found,
    code,
    type,
    param,
  };
}

/** Notes in `way` the objects that were opened. */
function textOf(value: unknown, way: Fields[], depth = 0): string | undefined {
  if (depth > deepest) return undefined;
  if (typeof value === 'string') return textOfString(value, way, depth);
  if (Array.isArray(value)) {
    const texts = value.slice(0, mostItems).map((item) => textOf(item, way, depth + 1));
    return texts.filter((text) => text !== undefined).join('; ') || undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Fields;
  way.push(fields);
  const text = relayed(fields, way, depth) ?? ownText(fields, way, depth);
  return text === undefined ? undefined : placeOf(fields) + text;
}

/** The provider's message in a gateway's answer, whose own message says only that the provider refused. */
function relayed({ metadata }: Fields, way: Fields[], depth: number): string | undefined {
  const raw = typeof metadata === 'object' && metadata !== null ? (metadata as Fields).raw : undefined;
  return textOf(raw, way, depth + 1);
}

/** An `error` that is a text beside a `message` is the name of the status. */
function ownText(fields: Fields, way: Fields[], depth: number): string | undefined {
  const order =
    typeof fields.error === 'string' && fields.message ? names.filter((name) => name !== 'error') : names;
  for (const name of order) {
    const text = textOf(fields[name], way, depth + 1);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Validators say which field is wrong: `["body", "messages", 0]`. */
function placeOf({ loc }: Fields): string {
  const place = Array.isArray(loc) ? loc.filter((part, index) => index > 0 || part !== 'body') : [];
  return place.length > 0 ? `${place.map(String).join('.')}: ` : '';
}

function textOfString(value: string, way: Fields[], depth: number): string | undefined {
  const text = value.trim();
  const json = /^[{[]/.test(text) ? parse(text) : undefined;
  const inner = typeof json === 'object' ? textOf(json, way, depth + 1) : undefined;
  return inner ?? (isPage(text) || text === '' ? undefined : text);
}

const isPage = (text: string): boolean => /^<(?:!doctype|html|head|body|\?xml)\b/i.test(text);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
