import { startDynamo } from '../start-dynamo.ts';

/** Serves the embedded DynamoDB for tests that kill this process: `node serve-test-dynamo.ts FILE`. */
const { endpoint } = await startDynamo({ file: process.argv[2]!, host: '127.0.0.1' });
process.stdout.write(`${endpoint}\n`);
