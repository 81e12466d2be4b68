let provider: aws.Provider | undefined;

/** Options of what AWS has in us-east-1 alone: metrics and rules of CloudFront. */
export function inVirginia(): $util.CustomResourceOptions {
  provider ??= new aws.Provider('EdgeMetrics', {
    region: 'us-east-1',
    // As SST has them on its own provider. A budget tells a stage by its tag.
    defaultTags: { tags: { 'sst:app': $app.name, 'sst:stage': $app.stage } },
  });
  return { provider };
}
