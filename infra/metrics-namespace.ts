/** As functions/lambda/metrics.ts writes it; a test compares the two. */
export const metricsNamespace = 'Errand';
