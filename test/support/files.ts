import type { Files } from '@errand/platform';

/** One call of the bucket: a method of `Files`, or of an upload in parts (`send`, `complete`, `abort`). */
export interface FilesCall {
  method: string;
  /** The object's key, or the prefix. */
  key: string;
}

/** Puts `around` about every call of this bucket, from now on. */
export function wrapFiles(
  files: Files,
  around: <T>(call: FilesCall, work: () => Promise<T>) => Promise<T>,
): void {
  wrapMethods(files, (method, [key], work) => around({ method, key: String(key) }, work));
  const { startMultipart } = files;
  files.startMultipart = async (key, contentType) => {
    const upload = await startMultipart(key, contentType);
    wrapMethods(upload, (method, _, work) => around({ method, key }, work));
    return upload;
  };
}

function wrapMethods(
  target: object,
  around: (method: string, args: unknown[], work: () => Promise<unknown>) => Promise<unknown>,
): void {
  const methods = target as Record<string, (...args: unknown[]) => Promise<unknown>>;
  for (const [method, call] of Object.entries(methods))
    methods[method] = (...args) => around(method, args, () => call(...args));
}
