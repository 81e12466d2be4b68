/** Every page: nothing is loaded but what is named, no form leaves the page by itself, and no other page frames it. */
const base = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

const write = (directives: readonly string[]): string => [...base, ...directives].join('; ');

/**
 * The console runs its own scripts and styles, and talks to this service. A file that is too large for a form goes by a
 * link straight into the bucket.
 */
export const consolePolicy = (uploadOrigin: string): string =>
  write([
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self' ${uploadOrigin}`,
  ]);

/** Swagger UI (5.35) sets styles through the DOM, evaluates nothing, and has its icons as data. */
export const referencePolicy: string = write([
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
]);
