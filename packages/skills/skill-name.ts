/** The names that skills can have; ASCII, so that they fit into a header. */
export const skillNamePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
