import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const [input = '', output = ''] = process.argv.slice(2);

/** A field of a form that is a file. */
const file = ts.factory.createTypeReferenceNode('Blob');

const nodes = await openapiTypescript(pathToFileURL(input), {
  transform: ({ format }) => (format === 'binary' ? file : undefined),
});
await writeFile(output, astToString(nodes));
