/** The form of a name: ASCII, so that it can be sent in a header. */
export const namePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
