const storeWrites = ['.sst.aws.KvKeys', '.sst.aws.KvRoutesUpdate'];

/**
 * Makes each write to the router's key-value store wait for the one before, also when a stage is removed. SST 4.17 makes
 * the writes of all routes at once. Each reads the store's version and then the list of routes, and writes the list back
 * with its own entry if the version is still the same. A list that lags behind the version loses what others added, and
 * the paths of that area would be a 404 of the site.
 */
export function orderRouteWrites(): void {
  let before: $util.Resource | undefined;
  $util.runtime.registerStackTransformation(({ resource, name, props, opts }) => {
    if (!storeWrites.some((ending) => name.endsWith(ending))) return undefined;
    const ordered = before ? $util.mergeOptions(opts, { dependsOn: [before] }) : opts;
    before = resource;
    return { props, opts: ordered };
  });
}
