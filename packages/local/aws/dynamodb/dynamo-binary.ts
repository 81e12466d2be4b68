import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Path of the embedded DynamoDB, which npm installs as an optional dependency on platforms that have one. */
export function findDynamoBinary(platform = `${process.platform}-${process.arch}`): string {
  const packageName = `@dynoxide/${platform}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${packageName}/package.json`);
    return join(dirname(manifest), platform.startsWith('win32') ? 'dynoxide.exe' : 'dynoxide');
  } catch (cause) {
    const advice = `Install it (npm install --no-save ${packageName}), or set AWS_ENDPOINT_URL_DYNAMODB to any server that speaks DynamoDB's API.`;
    throw new Error(
      `There is no embedded DynamoDB for ${platform}: ${packageName} is not installed. ${advice}`,
      {
        cause,
      },
    );
  }
}
