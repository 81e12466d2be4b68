import { notFound, type RouteDescription, textAnswer, textParameter } from '@errand/platform';

export const downloadFile: RouteDescription = {
  summary: 'Download a file that a run saved',
  description: 'By its signed link, as the result of `save_file` has it. Whoever has the link needs no key.',
  tag: 'files',
  access: 'public',
  path: {
    agentId: textParameter('The run that saved the file.', '0f8e6a54-3c7b-4a8e-9a53-6c1d2b7f9e10'),
    name: textParameter("The file's name.", 'table.csv'),
  },
  query: {
    expires: textParameter('When the link ends, in seconds since the epoch.', '1795392000'),
    signature: textParameter('Signs the file and the time.', 'c2lnbmF0dXJl'),
  },
  responses: {
    302: { description: 'A link into the storage, which works for five minutes.', headers: ['Location'] },
    403: textAnswer('The link was altered.', 'This link is not valid.'),
    ...notFound('The file is gone.'),
    410: textAnswer('The link has expired.', 'This link has expired.'),
  },
};
