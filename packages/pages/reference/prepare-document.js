import { isOfThing } from './things.js';

/**
 * The document as the page works with it. A parameter that nothing requires starts empty, and one that is of a thing starts with
 * what the key has: their examples name things that no deployment has.
 */
export function prepareDocument(document) {
  const prepared = structuredClone(document);
  for (const [path, methods] of Object.entries(prepared.paths))
    for (const operation of Object.values(methods)) {
      for (const parameter of operation.parameters ?? []) prepareParameter(path, parameter);
      const form = operation.requestBody?.content?.['multipart/form-data'];
      if (form) prepareForm(prepared, form);
    }
  return prepared;
}

function prepareParameter(path, parameter) {
  const { example, schema } = parameter;
  delete parameter.example;
  if (!isOfThing(path, parameter) && example !== undefined && example !== schema?.default)
    parameter.description = `${parameter.description ?? ''} For example \`${example}\`.`.trim();
}

/** Swagger UI sends a sample of every field that it shows: it gets those of the example. A browser shows no file that a page chooses. */
function prepareForm(document, { schema, example }) {
  const form = document.components.schemas[schema.$ref.split('/').at(-1)];
  for (const [name, field] of Object.entries(form.properties)) {
    if (!(name in example)) delete form.properties[name];
    else if (field.format !== 'binary') field.example = example[name];
  }
  form.properties.file.description += ` Until you choose one, \`${exampleFile}\` is sent. A form takes the other fields of \`NewRun\` too.`;
}

export const exampleFile = 'report.md';
