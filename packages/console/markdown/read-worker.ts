import { isBeyond } from '../words/nesting.ts';
import { readSyntax } from './syntax.ts';

/**
 * Tokens and lists of tokens, one in the other. Nobody means a deeper text, and a browser draws none. So many parts are
 * drawn in about a second, and are some 900,000 characters of prose with bold words and links.
 */
const drawable = { levels: 120, parts: 150_000 };

addEventListener('message', ({ data }: MessageEvent<string>) => {
  try {
    const read = readSyntax(data);
    postMessage(isBeyond(read.tokens, drawable) ? undefined : read);
  } catch {
    postMessage(undefined);
  }
});

postMessage('ready');
