import type { ResponseObject } from './response-object.ts';

/** Does what is to be done before a response's end is told, and returns what is told. Never throws. */
export type Finish = (response: ResponseObject) => Promise<ResponseObject>;
