export { packPassages } from './pack/pack-passages.ts';
export type { PackedPassages } from './passage.ts';
export { describeThreadError, findPassages, readPassages, textsOfPassages } from './read-passages.ts';
export { type Found, type NearPassage, type Reading, type Shown, wordingsOf } from './reading.ts';
export { quoteOf } from './search/quote.ts';
export { showPassages } from './show/show-passages.ts';
export { splitPassages } from './split/split-passages.ts';
export { joinVectors, type PackedVectors, packVectors } from './vectors/pack-vectors.ts';
