import {
  type ConversionAnswer,
  type ConversionCall,
  type ConvertStoredDeps,
  convertStored,
  type DocumentReader,
  readByConverter,
  readInThread,
} from '@errand/documents';
import { type Config, createInvoke, type Files } from '@errand/platform';

type ReaderDeps = Pick<ConvertStoredDeps, 'log'> & { config: Config; files: Files };

/** Reads documents by the converter where there is one, and in threads of this process otherwise. */
export function documentReader({ config, files, log }: ReaderDeps): DocumentReader {
  const { converterFunction } = config.aws;
  if (converterFunction === undefined) return readInThread;
  return readByConverter({ files, invoke: createInvoke(config.aws), converterFunction, log });
}

/** Handles the calls of functions that have documents read. */
export const converterHandler =
  (deps: ConvertStoredDeps) =>
  (call: ConversionCall): Promise<ConversionAnswer> =>
    convertStored(deps, call);
