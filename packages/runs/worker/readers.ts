import path from 'node:path';
import {
  type SpeechDeps,
  seeImage,
  type ToolAnswer,
  ToolError,
  transcribeRecording,
  type VisionDeps,
} from '@errand/agent';
import { type Files, limits } from '@errand/platform';
import { imageNames } from '@errand/text';
import { imageTypeOf } from '@errand/uploads';
import { FetchError, guardedFetch, looksLikeImage, readAll, type WebDeps } from '@errand/web';
import { dataUrl } from '../data-url.ts';
import type { RunInput } from '../store.ts';
import { openHosted } from './hosted-recording.ts';

export interface ReadersDeps extends VisionDeps, SpeechDeps {
  web: WebDeps;
  files: Files;
  /** Sends images as bytes in a data URL, for a provider that cannot reach links to this machine (local mode). */
  inlineImages: boolean;
}

/** The readers of images and recordings of one run, for its first step and for the model's own calls. */
export function makeReaders(deps: ReadersDeps, input: RunInput) {
  return {
    isImage: (url: string, signal: AbortSignal): Promise<boolean> => looksLikeImage(deps.web, url, signal),
    async see(imageUrl: string, question: string, signal: AbortSignal): Promise<ToolAnswer> {
      if (isOwnUpload(input, 'image', imageUrl)) {
        const url = await showUpload(deps, input.uploadKey, signal);
        return seeImage(deps, { url, question }, signal);
      }
      const url = deps.inlineImages ? await inlineImage(deps.web, imageUrl, signal) : imageUrl;
      return { ...(await seeImage(deps, { url, question }, signal)), isOutside: true };
    },
    transcribe: async (url: string, signal: AbortSignal): Promise<ToolAnswer> =>
      isOwnUpload(input, 'recording', url)
        ? transcribeUpload(deps, input.uploadKey, signal)
        : { ...(await transcribeUrl(deps, url, signal)), isOutside: true },
  };
}

/**
 * Whether the link leads to the run's own upload. An upload is read from the bucket, since our URL guard may refuse
 * its link.
 */
function isOwnUpload(
  input: RunInput,
  kind: 'image' | 'recording',
  url: string,
): input is RunInput & { uploadKey: string } {
  const { attachment } = input.agent;
  return input.uploadKey !== undefined && attachment?.kind === kind && attachment.url === url;
}

/** A new link to the upload, because the run's own link ends with the credentials that signed it. */
const showUpload = (deps: ReadersDeps, key: string, signal: AbortSignal): Promise<string> =>
  deps.inlineImages
    ? inlineUpload(deps, key, signal)
    : deps.files.presignGet(key, { expiresInSeconds: limits.toolMilliseconds / 1000 });

async function inlineUpload(deps: ReadersDeps, key: string, signal: AbortSignal): Promise<string> {
  const stored = await deps.files.open(key, { signal });
  if (!stored) throw new ToolError('The uploaded image is gone.');
  return dataUrl(Buffer.concat(await stored.body.toArray()), stored.contentType ?? 'image/png');
}

async function inlineImage(web: WebDeps, url: string, signal: AbortSignal): Promise<string> {
  try {
    const response = await guardedFetch(web, { url, signal, limits: { maxBytes: limits.imageBytes } });
    const bytes = await readAll(response);
    const contentType = imageTypeOf(bytes);
    if (!contentType) throw new ToolError(`The file at this URL is no ${imageNames} image.`);
    return dataUrl(bytes, contentType);
  } catch (error) {
    throw asToolError(error, 'image');
  }
}

async function transcribeUrl(deps: ReadersDeps, url: string, signal: AbortSignal): Promise<ToolAnswer> {
  try {
    return await transcribeRecording(deps, () => openHosted(deps.web, url, signal), signal);
  } catch (error) {
    throw asToolError(error, 'recording');
  }
}

function transcribeUpload(deps: ReadersDeps, key: string, signal: AbortSignal): Promise<ToolAnswer> {
  const open = async () => {
    const stored = await deps.files.open(key, { signal });
    if (!stored) throw new ToolError('The uploaded recording is gone.');
    const { body, bytes, contentType = 'application/octet-stream' } = stored;
    return { body, filename: path.posix.basename(key), contentType, bytes };
  };
  return transcribeRecording(deps, open, signal);
}

const asToolError = (error: unknown, what: string): unknown =>
  error instanceof FetchError ? new ToolError(`Failed to fetch ${what} from URL: ${error.message}`) : error;
