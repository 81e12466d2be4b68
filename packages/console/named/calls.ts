import type { Page } from '../session/renewed.ts';
import { errand } from '../session/session.ts';
import type { Named, NamedDraft, NamedKind, NamedVersion, Tagged } from './kind.ts';

/** The calls of skills and agents, whose routes differ in their beginning alone. */
export function namedCalls<Thing extends Named, Draft extends NamedDraft, Version>({
  room,
  idOf,
  toNew,
  toPatch,
}: NamedKind<Thing, Draft, Version>) {
  const all = `/v1/${room}` as '/v1/skills';
  const one = `${all}/{id}` as '/v1/skills/{id}';
  const versions = `${one}/versions` as '/v1/skills/{id}/versions';
  const version = `${versions}/{number}` as '/v1/skills/{id}/versions/{number}';
  const of = ({ thing, etag }: Tagged<Thing>) => ({
    path: { id: idOf(thing) },
    header: { 'If-Match': etag },
  });
  const change = async (tagged: Tagged<Thing>, body: object): Promise<string> =>
    idOf((await errand().api.PATCH(one, { params: of(tagged), body })).data as unknown as Thing);
  return {
    async read(id: string): Promise<Tagged<Thing>> {
      const { data, response } = await errand().api.GET(one, {
        params: { path: { id } },
        headers: { Accept: 'application/json' },
      });
      return { thing: data as unknown as Thing, etag: response.headers.get('ETag') ?? '*' };
    },
    create: async (draft: Draft): Promise<string> =>
      idOf((await errand().api.POST(all, { body: toNew(draft) as Draft })).data as unknown as Thing),
    save: (tagged: Tagged<Thing>, draft: Draft) => change(tagged, toPatch(draft)),
    enable: (tagged: Tagged<Thing>, enabled: boolean) => change(tagged, { enabled }),
    remove: async (tagged: Tagged<Thing>): Promise<void> =>
      void (await errand().api.DELETE(one, { params: of(tagged) })),
    restore: async (tagged: Tagged<Thing>, number: number): Promise<void> => {
      const { header, path } = of(tagged);
      const params = { header, path: { ...path, number: String(number) } };
      await errand().api.POST(`${version}/restore` as '/v1/skills/{id}/versions/{number}/restore', {
        params,
      });
    },
    async listVersions(id: string, part: { cursor?: string; limit?: number }): Promise<Page<NamedVersion>> {
      const { data } = await errand().api.GET(versions, { params: { path: { id }, query: part } });
      return { entries: data.versions, cursor: data.cursor };
    },
    readVersion: async (id: string, number: number): Promise<Version & NamedVersion> => {
      const params = { path: { id, number: String(number) } };
      return (await errand().api.GET(version, { params })).data as unknown as Version & NamedVersion;
    },
  };
}
