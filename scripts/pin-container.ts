import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

/** Lists of an image's platforms. A pin to one of them alone would not run on another. */
const listTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
];

/** The first image with a tag, in a Dockerfile or a compose file. */
const imageLine = /^(FROM | +image: )([\w./-]+):([\w.-]+)(?:@sha256:[0-9a-f]{64})?( AS \w+)?$/m;

/**
 * Asks the registry for the digest of a Dockerfile's base image, or of a compose file's image, and writes it there.
 * Returns the pinned name.
 */
export async function pinContainer(dockerfile: string, registry: string): Promise<string> {
  const text = readFileSync(dockerfile, 'utf8');
  const [, before = '', image = '', tag = '', after = ''] = imageLine.exec(text) ?? [];
  if (image === '') throw new Error(`${dockerfile} has no line FROM image:tag or image: image:tag`);
  const pinned = `${image}:${tag}@${await readDigest(registry, image, tag)}`;
  writeFileSync(dockerfile, text.replace(imageLine, `${before}${pinned}${after}`));
  return pinned;
}

/** The digest of the tag's list of platforms, computed from its bytes. */
async function readDigest(registry: string, image: string, tag: string): Promise<string> {
  const repository = image.includes('/') ? image : `library/${image}`;
  const url = new URL(`/v2/${repository}/manifests/${tag}`, registry);
  const ask = (headers: Record<string, string>) =>
    fetch(url, { headers: { Accept: listTypes.join(', '), ...headers } });
  let response = await ask({});
  if (response.status === 401) {
    const token = await readToken(response.headers.get('WWW-Authenticate') ?? '', url.protocol);
    response = await ask({ Authorization: `Bearer ${token}` });
  }
  const body = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const type = response.headers.get('Content-Type')?.split(';')[0] ?? '';
  if (!listTypes.includes(type)) throw new Error(`${image}:${tag} is ${type}, which is no list of platforms`);
  const digest = `sha256:${createHash('sha256').update(body).digest('hex')}`;
  const named = response.headers.get('Docker-Content-Digest') ?? digest;
  if (named !== digest) throw new Error(`the registry names ${named} and sent ${digest}`);
  return digest;
}

/** A token for anybody, from the place that a registry's refusal names. */
async function readToken(challenge: string, protocol: string): Promise<string> {
  const fields = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
  );
  const realm = new URL(fields.realm ?? '');
  if (realm.protocol !== protocol) throw new Error(`the registry asks for a token at ${realm}`);
  for (const name of ['service', 'scope']) if (fields[name]) realm.searchParams.set(name, fields[name]);
  const response = await fetch(realm);
  if (!response.ok) throw new Error(`${realm} answered ${response.status}`);
  const { token, access_token } = (await response.json()) as { token?: string; access_token?: string };
  return token ?? access_token ?? '';
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..');
  const { registry, dockerfile } = parseArgs({
    options: {
      registry: { type: 'string', default: 'https://registry-1.docker.io' },
      dockerfile: { type: 'string', default: path.join(root, 'infra/container.Dockerfile') },
    },
  }).values;
  try {
    console.log(`FROM ${await pinContainer(dockerfile, registry)}`);
  } catch (error) {
    console.error(`The base image was not pinned: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
