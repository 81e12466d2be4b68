/** The header in which the router tells functions its secret. In lower case, as CloudFront has names of headers. */
export const originSecretHeader = 'x-origin-secret';

/** Set by what a function's newest version answers alone. Callers reach versions with numbers. */
export const versionHeader = 'x-function-version';

/** Lambda's name of the version that is the function itself. */
export const newestVersion = '$LATEST';
