import { limits, localCredentials, readConfig } from '@errand/platform';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { imageEnvironment, read } from './read-dockerfile.ts';

interface Service {
  image?: string;
  build?: string;
  command?: string[];
  user?: string;
  ports?: string[];
  privileged?: boolean;
  volumes: string[];
  depends_on?: string[];
  configs?: { source: string; target: string }[];
  stop_grace_period?: string;
  environment: Record<string, string | null>;
}

const compose = parse(read('compose.yaml')) as {
  services: { errand: Service; dynamodb: Service };
  configs: Record<string, { file: string }>;
  volumes: Record<string, unknown>;
};
const { errand, dynamodb } = compose.services;

/** As Compose fills in `${NAME:-default}` and `${NAME:+word}`. */
const fill = (text: string, env: Record<string, string> = {}): string =>
  text.replaceAll(/\$\{(\w+):([-+])([^}]*)\}/g, (_, name: string, sign: string, word: string) =>
    sign === '-' ? env[name] || word : env[name] ? word : '',
  );

const environmentWith = (env: Record<string, string>): Record<string, string> => ({
  ...imageEnvironment,
  ...Object.fromEntries(
    Object.entries(errand.environment).flatMap(([name, value]) => {
      const filled = value === null ? env[name] : fill(value, env);
      return filled === undefined ? [] : [[name, filled]];
    }),
  ),
});

describe('the service', () => {
  test('is built here: an image of its name elsewhere is never pulled', () => {
    expect(errand).toMatchObject({ build: '.' });
    expect(errand.image).toBeUndefined();
  });

  test('gets every variable that docs/configuration.md names, and no other', () => {
    const [, table = ''] =
      /\| variable \| meaning \| default \|\n\|---.*\n((?:\|.*\n)+)/.exec(read('docs/configuration.md')) ??
      [];
    const named = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name),
    );
    expect(named.length).toBeGreaterThan(25);
    expect(Object.keys(errand.environment).toSorted()).toEqual(
      [...named, 'AWS_ENDPOINT_URL_DYNAMODB'].toSorted(),
    );
  });

  test('keeps its state in a volume, whatever the variables of the machine say of folders and addresses', () => {
    const config = readConfig('local', environmentWith({ DATA_DIR: '/home/ada', HOST: '127.0.0.1' }));
    const [volume, target] = errand.volumes[0]?.split(':') ?? [];
    expect(compose.volumes).toHaveProperty(volume ?? '');
    expect(target).toBe(imageEnvironment.DATA_DIR);
    expect(config).toMatchObject({ dataDir: target, host: '0.0.0.0' });
  });

  test.each<Record<string, string>>([{}, { PORT: '9000' }])(
    'listens where its port is published: %o',
    (env) => {
      const { port } = readConfig('local', environmentWith(env));
      expect(errand.ports?.map((each) => fill(each, env))).toEqual([`127.0.0.1:${port}:${port}`]);
    },
  );

  test('reads a catalogue where one is named, and none elsewhere', () => {
    const [mounted] = errand.configs ?? [];
    const { file = '' } = compose.configs[mounted?.source ?? ''] ?? {};
    expect(readConfig('local', environmentWith({})).modelCatalogue).toBeUndefined();
    const named = { MODEL_CATALOGUE: './catalogue.json' };
    expect(readConfig('local', environmentWith(named)).modelCatalogue).toBe(mounted?.target);
    expect(fill(file, named)).toBe('./catalogue.json');
    expect(read(fill(file))).not.toBe('');
  });

  test('passes on what configures models', () => {
    const env = { MODEL_BASE_URL: 'http://models/v1', MODEL_API_KEY: 'k', MODEL_ID: 'm' };
    expect(readConfig('local', environmentWith(env)).model).toEqual({
      baseUrl: 'http://models/v1',
      apiKey: 'k',
      id: 'm',
    });
  });

  test('has longer to stop than a stop takes', () => {
    expect(Number.parseInt(errand.stop_grace_period ?? '', 10) * 1000).toBeGreaterThan(
      limits.shutdownExitMilliseconds,
    );
  });
});

describe('the DynamoDB', () => {
  test('is the one that the service asks, at DynamoDB Local’s port', () => {
    expect(errand.environment.AWS_ENDPOINT_URL_DYNAMODB).toBe('http://dynamodb:8000');
    expect(errand.depends_on).toEqual(['dynamodb']);
    // DynamoDB Local refuses other characters in it.
    expect(localCredentials.accessKeyId).toMatch(/^[A-Za-z0-9]+$/);
  });

  test('is pinned, keeps its tables in a volume that its user may write, and is published nowhere', () => {
    expect(dynamodb.image).toMatch(/^amazon\/dynamodb-local:\d+\.\d+\.\d+(@sha256:[0-9a-f]{64})?$/);
    const [volume, target] = dynamodb.volumes[0]?.split(':') ?? [];
    expect(compose.volumes).toHaveProperty(volume ?? '');
    expect(dynamodb.command?.slice(-2)).toEqual(['-dbPath', target]);
    expect(dynamodb.command).not.toContain('-inMemory');
    expect(dynamodb.user).toBe('root');
    expect(dynamodb.ports).toBeUndefined();
  });
});
