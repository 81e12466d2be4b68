/** The header in which the router tells functions its secret. In lower case, as CloudFront has names of headers. */
export const originSecretHeader = 'x-origin-secret';
