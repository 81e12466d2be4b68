import { createConversion, type ReadFormat } from '../conversion.ts';
import { finishRtf, readRtfToken, startRtf } from './reader.ts';
import { readRtfTokens } from './tokens.ts';

export const readRtf: ReadFormat = async (bytes, options) => {
  const state = startRtf(options.outputCharacters);
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  for (const token of readRtfTokens(source)) readRtfToken(state, token);
  return createConversion(finishRtf(state), { title: state.title });
};
