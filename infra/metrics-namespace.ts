/** Each stage has its own, because several may share an account. */
export const metricsNamespace = (): string => `Errand/${$app.stage}`;
