import { makePdf } from '@errand/documents/testing';
import { seeded } from '../random.ts';
import type { Fact } from '../world/facts.ts';
import { type Material, makePage, paragraph, slug } from './material.ts';
import { makeSlides, makeWord } from './office-files.ts';
import { fillerSentence } from './prose.ts';

export const shortKinds = ['.pdf', '.docx', '.pptx', '.md', '.html', '.txt'] as const;

type ShortKind = (typeof shortKinds)[number];

export const contentTypes = {
  '.pdf': 'application/pdf',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.md': 'text/markdown; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
} as const;

/** A document of a page or two with these facts. */
export function shortDocument(kind: ShortKind, title: string, facts: readonly Fact[]): Material {
  const random = seeded(`${kind} about ${title}`);
  const lines = facts.flatMap(({ sentence }) => [fillerSentence(random), sentence, fillerSentence(random)]);
  const path = `/files/${slug(title)}${kind}`;
  const of = (bytes: Uint8Array): Material => {
    const contentType = contentTypes[kind];
    return { path, title, contentType, bytes, states: facts, isIndexed: false };
  };
  switch (kind) {
    case '.pdf':
      return of(makePdf([[title, ...lines]]));
    case '.docx':
      return of(makeWord([`# ${title}`, ...lines]));
    case '.pptx':
      return of(makeSlides([[title, ...lines]]));
    case '.html':
      return makePage({
        path,
        title,
        body: lines.map(paragraph).join('\n'),
        states: facts,
        isIndexed: false,
      });
    case '.md':
    case '.txt':
      return of(Buffer.from([kind === '.md' ? `# ${title}` : title, ...lines].join('\n\n')));
  }
}
