import { boundedText, described } from '@errand/platform';
import * as v from 'valibot';

export const createUploadSchema = v.object({
  filename: boundedText('Its extension decides how the file is read and how large it may be.'),
  size: v.pipe(
    v.number(),
    v.safeInteger('must be a whole number of bytes'),
    v.minValue(1, 'must be at least 1'),
    v.description('Bytes.'),
  ),
});

export type CreateUploadBody = v.InferOutput<typeof createUploadSchema>;

export const uploadTicketSchema = v.object({
  uploadId: v.pipe(v.string(), v.description('Goes into the create-run request once the file is uploaded.')),
  url: v.pipe(v.string(), v.description('Takes exactly this file.')),
  method: described('The method to send the file with.', v.literal('PUT')),
  headers: v.pipe(v.record(v.string(), v.string()), v.description('To be sent with the file.')),
  expiresAt: v.pipe(v.string(), v.description('When the url stops taking the file.')),
});

export type UploadTicket = v.InferOutput<typeof uploadTicketSchema>;
