/** The credentials that the embedded AWS accepts. They are no secret: it listens on the loopback interface alone. */
export const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local-secret' } as const;

export const localRegion = 'eu-central-1';

export const localBucket = 'errand-files';

export const localWorkQueue = 'errand-runs';
export const localWebhookQueue = 'errand-webhooks';
