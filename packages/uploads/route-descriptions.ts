import {
  jsonAnswer,
  jsonContent,
  limits,
  named,
  noCredits,
  type RouteDescription,
  refusalSchema,
  routeForbidden,
  textAnswer,
  textContent,
} from '@errand/platform';
import { createUploadSchema, uploadTicketSchema } from './schema.ts';

export const createUpload: RouteDescription = {
  summary: 'Get a link to upload a file with',
  description:
    'For files that are larger than a request may be. A run then names the file by its `uploadId`.',
  tag: 'files',
  body: jsonContent(named('NewUpload', createUploadSchema), { filename: 'meeting.mp3', size: 48_000_000 }),
  responses: {
    201: jsonAnswer(
      'Send the file with this method and these headers to the url.',
      named('UploadTicket', uploadTicketSchema),
      {
        uploadId: 'upload_1',
        url: 'https://storage.example.com/uploads/meeting.mp3?signature=1',
        method: 'PUT',
        headers: { 'Content-Type': 'audio/mpeg', 'Content-Length': '48000000' },
        expiresAt: '2026-11-21T10:15:00.000Z',
      },
    ),
    400: textAnswer('What is wrong, one line each.', 'size: must be at least 1'),
    ...noCredits,
    ...routeForbidden('runs'),
    413: textAnswer(
      'The body, or the file that it names, is too large.',
      `"a.mp3" is larger than the limit of ${limits.recordingBytes / 1_000_000} MB.`,
    ),
    415: textAnswer(
      "The file's ending is not accepted.",
      'Files ending in .xyz are not accepted. Accepted: .png, .jpg',
    ),
    429: {
      ...textAnswer(
        'The requests of this window are used up, or the account has too many open uploads.',
        'Too many requests, please try again later.',
      ),
      headers: ['Retry-After'],
    },
    503: {
      description: 'Uploads are switched off (text), or the storage cannot be reached (`Retry-After`).',
      content: {
        ...textContent('Temporary file storage is not enabled'),
        ...jsonContent(refusalSchema, { error: 'Service temporarily at capacity. Please retry.' }),
      },
      optionalHeaders: ['Retry-After'],
    },
  },
};
