/** Each stage counts for itself: several may share an account. */
export const metricsNamespace = (): string => `Errand/${$app.stage}`;
