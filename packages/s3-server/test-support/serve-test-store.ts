import { startFileStore } from '../start-file-store.ts';
import { Bucket, testCredentials } from './start-test-store.ts';

/** Serves a store for tests that kill or measure this process: `node serve-test-store.ts FOLDER`. */
const folder = process.argv[2]!;
const options = { folder, host: '127.0.0.1', credentials: testCredentials, buckets: [{ name: Bucket }] };
const { endpoint } = await startFileStore({ ...options, onError: console.error });
process.stdout.write(`${endpoint}\n`);
