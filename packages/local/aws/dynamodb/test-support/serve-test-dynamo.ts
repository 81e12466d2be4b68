import { startDynamo } from '../start-dynamo.ts';

/** The embedded DynamoDB under a process of its own, for tests that kill it: `node serve-test-dynamo.ts FILE`. */
const { endpoint } = await startDynamo({ file: process.argv[2]!, host: '127.0.0.1' });
process.stdout.write(`${endpoint}\n`);
