import {
  type ConversionAnswer,
  type ConversionCall,
  convertStored,
  type DocumentReader,
  readByConverter,
  readInThread,
} from '@errand/documents';
import { createInvoke } from '@errand/platform';
import type { ServiceDeps } from './deps.ts';

/** Reads documents by the converter where there is one, and in threads of this process otherwise. */
export function documentReader({ config, files, log }: ServiceDeps): DocumentReader {
  const { converterFunction } = config.aws;
  if (converterFunction === undefined) return readInThread;
  return readByConverter({ files, invoke: createInvoke(config.aws), converterFunction, log });
}

/** Handles the calls of functions that have documents read. */
export const converterHandler =
  (deps: ServiceDeps) =>
  (call: ConversionCall): Promise<ConversionAnswer> =>
    convertStored(deps, call);
