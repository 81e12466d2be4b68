/**
 * Swagger UI works several times through all of the document in which it resolves a part, and does so for each operation that is
 * opened. It gets the part with what that refers to, which takes a browser a tenth of the time.
 */
export const resolvePlugin = ({ fn: { resolveSubtree } }) => ({
  fn: {
    resolveSubtree: (document, place, options) => resolveSubtree(partFor(document, place), place, options),
  },
});

/** Of the document, a path or a kind of components with what it refers to; all of it for any other place. */
export function partFor(document, [area, name]) {
  const kept = { paths: {}, components: {} };
  const part = area in kept ? document[area][name] : undefined;
  if (part === undefined) return document;
  const addWhatIsIn = (text) => {
    for (const [, kind, name] of text.matchAll(/"#\/components\/(\w+)\/([\w.-]+)/g)) {
      kept.components[kind] ??= {};
      const known = kept.components[kind];
      if (name in known) continue;
      known[name] = document.components[kind][name];
      addWhatIsIn(JSON.stringify(known[name]));
    }
  };
  kept[area][name] = { ...part };
  addWhatIsIn(JSON.stringify(part));
  return { ...document, ...kept };
}
