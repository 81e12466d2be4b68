/** The alias of a function that callers and queues reach. The function itself is the newest version. */
export const liveAlias = 'live';
