/** Each stage has its own namespace, because several stages may share an account. */
export const metricsNamespace = (): string => `Errand/${$app.stage}`;
