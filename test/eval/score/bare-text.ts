/** A text without what its format adds, so that the same passage compares equal in every format. */
export const bareText = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/,"|",/g, ' ')
    .replaceAll(/"|,(?!\d)|(?<!\d),/g, ' ')
    .replaceAll(/[*_`\\]+/g, '')
    .replaceAll(/[\s|#>;:-]+/g, ' ')
    .trim();
