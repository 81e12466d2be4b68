import { createMarkdownWriter } from '@errand/text';
import type { getDocumentProxy } from 'unpdf';
import { createConversion, type ReadFormat } from '../conversion.ts';
import { DocumentError } from '../document-error.ts';
import { measureSizes, type PdfPage, writePdfPage } from './blocks.ts';
import { createCMapFactory } from './cmaps.ts';
import { type PdfAnnotation, placeFields, readFields, saysSomething } from './fields.ts';
import { groupIntoLines, type PdfTextItem } from './lines.ts';
import { type PdfLink, withLink } from './links.ts';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

async function open(bytes: Uint8Array): Promise<PdfDocument> {
  const { getDocumentProxy } = await import('unpdf');
  try {
    const options = { cMapPacked: false, BinaryDataFactory: createCMapFactory() };
    return await getDocumentProxy(bytes, { verbosity: 0, disableFontFace: true, ...options });
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new DocumentError('encrypted', 'The .pdf file is protected by a password and cannot be read.');
    }
    throw error;
  }
}

/** The engine keeps 60 kB of each page, and fonts, until it is told to forget them. Fonts are then read again. */
const pagesKept = 200;

/** Codes for the shapes of Arabic letters in a word. They become the letters' own codes, which searches use. */
const presentationForms = /[\ufb50-\ufdff\ufe70-\ufefc]+/g;

function readLinks(annotations: readonly PdfAnnotation[]): PdfLink[] {
  const links: PdfLink[] = [];
  for (const { url, rect } of annotations) {
    const [left, bottom, right, top] = rect ?? [];
    if (!url || left === undefined || bottom === undefined || right === undefined || top === undefined)
      continue;
    links.push({ address: url, left, right, bottom, top });
  }
  return links;
}

async function readPage(document: PdfDocument, number: number): Promise<PdfPage> {
  const page = await document.getPage(number);
  const content = await page.getTextContent();
  const annotations = (await page.getAnnotations()) as PdfAnnotation[];
  const links = readLinks(annotations);
  page.cleanup();
  const items: PdfTextItem[] = [];
  for (const item of content.items) {
    if (!('str' in item)) continue;
    const [, , skewX = 0, scaleY = 0, x = 0, y = 0] = item.transform as number[];
    const size = Math.hypot(skewX, scaleY) || item.height;
    const isRightToLeft = item.dir === 'rtl';
    const text = isRightToLeft
      ? item.str.replace(presentationForms, (form) => form.normalize('NFKC'))
      : item.str;
    items.push(withLink({ text, x, y, width: item.width, size, isRightToLeft }, links));
  }
  const [left = 0, , right = 0] = page.view;
  const lines = groupIntoLines(items);
  placeFields(lines, readFields(annotations));
  return { number, width: right - left, lines };
}

async function readMetadataTitle(document: PdfDocument): Promise<string | undefined> {
  const { info } = await document.getMetadata();
  const title = (info as Record<string, unknown>).Title;
  return typeof title === 'string' ? title : undefined;
}

export const readPdf: ReadFormat = async (bytes, options) => {
  const document = await open(bytes);
  const count = document.numPages;
  const pages: PdfPage[] = [];
  let failure: unknown;
  for (let number = 1; number <= count; number++) {
    // A page that cannot be read is left out; the others are kept.
    const page = await readPage(document, number).catch((error: unknown) => {
      failure = error;
    });
    if (page) pages.push(page);
    if (number % pagesKept === 0) await document.cleanup();
  }
  if (pages.length === 0) throw failure;
  if (!pages.some(({ lines }) => saysSomething(lines))) {
    const where = count === 1 ? 'on the page' : `on any of the ${count} pages`;
    throw new DocumentError(
      'empty',
      `No text was found ${where} of the .pdf file: it may be a scan, which only a reader of images can read.`,
    );
  }
  const sizes = measureSizes(pages);
  const writer = createMarkdownWriter(options.outputCharacters);
  for (const page of pages) {
    writer.place(`page ${page.number}`);
    writePdfPage(writer, page, sizes);
  }
  return createConversion(writer.finish(), { title: await readMetadataTitle(document), pages: count });
};
