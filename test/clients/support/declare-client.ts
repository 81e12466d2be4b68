import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClientName } from './client-list.ts';
import { type Errand, startErrand } from './errand.ts';
import { expectFailure } from './expect-failure.ts';
import { compareOrWriteRows, type Row } from './table.ts';
import { watchHosts } from './watch-hosts.ts';

type Attempt = (errand: Errand) => Promise<void>;

interface Tried {
  /** Declares what works. The words stand in the table. */
  works(tried: string, attempt: Attempt): void;
  /** Declares what does not work, with the reason for the table and the error that comes. The attempt is what should work. */
  fails(tried: string, why: { because: string; error: object }, attempt: Attempt): void;
}

export type Declare = (tried: Tried) => void;

/** Tries a part of a client on a service of its own. What is declared is held against docs/clients.md. `env` is asked for once the file's own servers are there. */
export function client(
  name: ClientName,
  part: string,
  declare: Declare,
  env: () => Record<string, string> = () => ({}),
): void {
  describe(`${name}: ${part}`, () => {
    const rows: Row[] = [];
    let watch: ReturnType<typeof watchHosts>;
    let errand: Errand;
    beforeAll(async () => {
      watch = watchHosts();
      errand = await startErrand(env());
    });
    afterAll(async () => {
      watch.stop();
      await errand.stop();
    });
    declare({
      works(tried, attempt) {
        rows.push({ tried, works: 'yes' });
        test(tried, () => attempt(errand));
      },
      fails(tried, { because, error }, attempt) {
        rows.push({ tried, works: `no: ${because}` });
        test(`does not work: ${tried}`, () => expectFailure(() => attempt(errand), error));
      },
    });
    test('nothing but this machine was asked', () => {
      expect([...watch.hosts].filter((host) => host !== '127.0.0.1' && host !== 'localhost')).toEqual([]);
      expect(watch.hosts.size).toBeGreaterThan(0);
    });
    test('docs/clients.md says what was tried', () => compareOrWriteRows(name, part, rows));
  });
}
