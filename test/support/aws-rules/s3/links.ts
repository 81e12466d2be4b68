const mostSeconds = 604_800;

/** How long a presigned link works: a second at least, and seven days at most. */
export function linkProblems(url: { query?: Record<string, unknown> } | undefined): string[] {
  const expires = url?.query?.['X-Amz-Expires'];
  if (expires === undefined) return [];
  const seconds = Number(expires);
  return Number.isInteger(seconds) && seconds >= 1 && seconds <= mostSeconds
    ? []
    : [`links: one that works for ${expires} s, not 1 to ${mostSeconds}`];
}
