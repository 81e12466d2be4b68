/** What the protocol allows as the id of a call. */
const allowed = /^[a-zA-Z0-9_-]{1,64}$/;
const encoded = 'toolu_errand_';

/** The id of a call as the protocol allows it: another one is encoded. */
export const idForCaller = (id: string): string =>
  allowed.test(id) && !id.startsWith(encoded) ? id : `${encoded}${Buffer.from(id).toString('base64url')}`;

/** The id that the model's own upstream gave the call. */
export const idInChat = (id: string): string =>
  id.startsWith(encoded) ? Buffer.from(id.slice(encoded.length), 'base64url').toString() : id;
