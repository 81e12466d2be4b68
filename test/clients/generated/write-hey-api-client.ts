import { createClient } from '@hey-api/openapi-ts';

const [input = '', output = ''] = process.argv.slice(2);

await createClient({
  input,
  output: { path: output, module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { level: 'error', file: false },
});
