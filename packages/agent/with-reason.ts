import type { UpstreamError } from '@errand/models';

/** A sentence, with what the upstream said if it gave a reason. */
export const withReason = (sentence: string, { words }: Pick<UpstreamError, 'words'>): string =>
  words === undefined ? `${sentence}.` : `${sentence}: ${words}`;
