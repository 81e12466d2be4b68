import { DomainError, type Issue } from '@errand/platform';

/** Notes what is wrong with a field. Returns undefined, for readers that have nothing to return then. */
export type Report = (field: string, problem: string) => undefined;

/** Returns what `read` reads. Throws `invalid_request` with every issue that it reported. */
export function readReporting<T>(read: (report: Report) => T | undefined): T {
  const issues: Issue[] = [];
  const found = read((field, problem) => {
    issues.push({ field, problem });
  });
  if (issues.length > 0 || found === undefined) throw new DomainError('invalid_request', { issues });
  return found;
}
