import type { Run } from '@errand/client';

const usualSeconds = 86_400; // limits.runReadableSeconds

/** How long the service keeps runs, as one of them tells it. Without one: as long as usual. */
export function keptTime(run: Pick<Run, 'createdAt' | 'expiresAt'> | undefined): string {
  const seconds = run ? (Date.parse(run.expiresAt) - Date.parse(run.createdAt)) / 1000 : usualSeconds;
  return seconds > usualSeconds ? `${seconds / 86_400} days` : `${usualSeconds / 3600} hours`;
}
