/**
 * To open an operation, Swagger UI works several times through all of the document that it resolves it in. It gets the path of
 * the operation with what that refers to, which takes a browser a tenth of the time.
 */
export const resolvePlugin = ({ fn: { resolveSubtree } }) => ({
  fn: {
    resolveSubtree: (document, place, options) => resolveSubtree(partFor(document, place), place, options),
  },
});

export function partFor(document, [area, path]) {
  if (area !== 'paths') return document;
  const components = {};
  const addWhatIsIn = (part) => {
    for (const [, kind, name] of JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/([\w.-]+)/g)) {
      const known = (components[kind] ??= {});
      if (name in known) continue;
      known[name] = document.components[kind][name];
      addWhatIsIn(known[name]);
    }
  };
  addWhatIsIn(document.paths[path]);
  return { ...document, paths: { [path]: document.paths[path] }, components };
}
