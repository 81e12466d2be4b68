import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export const thisPlatform = `${process.platform}-${process.arch}`;

/** The platforms that the embedded DynamoDB is published for. */
const published: readonly string[] = ['linux-x64'];

/** Whether npm has an embedded DynamoDB for the platform, installed or not. */
export const hasDynamoBinary = (platform: string): boolean => published.includes(platform);

/** Path of the embedded DynamoDB, which npm installs as an optional dependency on platforms that have one. */
export function findDynamoBinary(platform = thisPlatform): string {
  const packageName = `@dynoxide/${platform}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${packageName}/package.json`);
    return join(dirname(manifest), platform.startsWith('win32') ? 'dynoxide.exe' : 'dynoxide');
  } catch (cause) {
    throw new Error(
      hasDynamoBinary(platform)
        ? `${packageName} is not installed. Install it with: npm ci --include=optional`
        : `There is no embedded DynamoDB for ${platform}.`,
      { cause },
    );
  }
}
