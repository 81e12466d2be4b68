export { packPassages } from './pack/pack-passages.ts';
export type { PackedPassages } from './passage.ts';
export { describeThreadError, findPassages, readPassages } from './read-passages.ts';
export type { Found, Reading, Shown } from './reading.ts';
export { showPassages } from './show/show-passages.ts';
export { splitPassages } from './split/split-passages.ts';
