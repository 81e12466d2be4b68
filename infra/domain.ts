import type { Settings } from './settings.ts';

type WithDomain = Pick<Settings, 'domain'>;

/** The stage's domain, with its certificate if it is outside this account's Route 53. Empty counts as none. */
export const domainOf = ({ domain }: WithDomain): { name: string; certificate?: string } | undefined =>
  typeof domain === 'string' ? (domain ? { name: domain } : undefined) : domain;

/** CloudFront takes certificates of this region alone, and says so only after other resources were made. */
const certificateForm = /^arn:aws:acm:us-east-1:\d{12}:certificate\/\S+$/;

export function domainProblems(settings: WithDomain): string[] {
  const certificate = typeof settings.domain === 'object' ? settings.domain.certificate : undefined;
  if (certificate === undefined || certificateForm.test(certificate)) return [];
  return ['domain.certificate must be the ARN of a certificate of AWS Certificate Manager in us-east-1'];
}
