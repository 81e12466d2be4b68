/** What tests of other rooms reach of this one. Nothing else imports it. */

export { messagesErrors, shapeError } from './errors.ts';
export { nativeInput } from './native/input.ts';
export { nativeStream } from './native/native-stream.ts';
export { checkFields } from './request/check-fields.ts';
export { parseRequest } from './request/read-request.ts';
export { toCompletion } from './request/to-completion.ts';
export { readModel } from './request/upstreams.ts';
