import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { clientTypesFile, makeClientTypes } from '../../scripts/write-client-types.ts';

test('the types of the client are those of the OpenAPI document; `npm run client:types` writes them', async () => {
  expect((await makeClientTypes()) === (await readFile(clientTypesFile, 'utf8'))).toBe(true);
});
