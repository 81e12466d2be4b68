export interface Material {
  heading: string;
  text: string;
}

export interface Links {
  documentUrl?: string;
  audioUrl?: string;
  imageUrl?: string;
}

export interface UserText {
  question: string;
  links: Links;
  material: Material[];
}

const linkLine =
  /^[ \t]*[-*]?[ \t]*(document|audio|image)[ _]?url\b[^:=\n]*[:=][ \t]*<?(https?:\/\/[^\s>]+)>?[ \t]*$/gim;
const attachmentLine = /^attached (?:document|recording|image|file): *"[^\n]*"[ \t]*$/gim;
const enclosed =
  /<([\w-]*(?:document|file|upload|attachment|transcript|recording|image|content|context|material)[\w-]*)\b([^>\n]*)>\s*([\s\S]*?)\s*<\/\1>/gi;
const readingHeading =
  /(?<=^|\n)[ \t]*((?:transcript|recording|what|image|description)\b[^:\n]{0,150}|(?:#+[ \t]*)?(?:uploaded|attached|converted|content|text|document|file)\b[^:\n]{0,150}):[ \t]*\n[ \t]*\n/gi;
const documentHeading = /^\W*(?:uploaded|attached|converted|content|text|document|file)\b/i;

/** A run of blanks is replaced by one, because patterns that begin with blanks are slow on long runs. */
const blankRun = /[ \t]{100,}/g;

const longTextCharacters = 600;

/** Splits a user's message into the question, links, and the text of documents, recordings and images. */
export function splitUserText(text: string): UserText {
  const { opening, headed } = splitAtHeadings(text);
  const links: Links = {};
  const material: Material[] = [];
  const question = opening
    .replace(linkLine, (_line, kind: string, url: string) => {
      links[`${kind.toLowerCase()}Url` as keyof Links] = url;
      return '';
    })
    .replace(attachmentLine, '')
    .replace(enclosed, (_block, tag: string, attributes: string, inner: string) => {
      material.push({ heading: `${tag}${attributes}`, text: inner });
      return '\n';
    })
    .trim();
  material.push(...headed);
  if (material.length > 0) return { question, links, material };
  return { links, ...splitLongText(question) };
}

/** All text after a document's heading belongs to the document, because its lines may look like headings. */
function splitAtHeadings(text: string): { opening: string; headed: Material[] } {
  const found = [...text.matchAll(readingHeading)];
  const document = found.findIndex(([, heading = '']) => documentHeading.test(heading));
  const headings = document === -1 ? found : found.slice(0, document + 1);
  const headed = headings.map((heading, index) => ({
    heading: (heading[1] ?? '').trim(),
    text: text.slice(heading.index + heading[0].length, headings[index + 1]?.index).trim(),
  }));
  return { opening: text.slice(0, headings[0]?.index).replace(blankRun, ' '), headed };
}

/** Without headings, the question is the first paragraph, or the last if that ends in `?` and the first does not. */
function splitLongText(text: string): { question: string; material: Material[] } {
  const paragraphs = text.split(/\n\s*\n/);
  const first = paragraphs[0] ?? '';
  const last = paragraphs.at(-1) ?? '';
  if (text.length < longTextCharacters || paragraphs.length < 2) return { question: text, material: [] };
  const lastAsks = last.trimEnd().endsWith('?') && !first.trimEnd().endsWith('?');
  const rest = lastAsks ? paragraphs.slice(0, -1) : paragraphs.slice(1);
  return {
    question: (lastAsks ? last : first).trim(),
    material: [{ heading: 'attached text', text: rest.join('\n\n') }],
  };
}
