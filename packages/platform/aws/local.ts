/** What the AWS of one machine knows callers by. Not secret: it listens on the loopback interface alone. */
export const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local-secret' } as const;

export const localRegion = 'eu-central-1';
