import type { components } from '@errand/client';
import { signal } from '@preact/signals';
import { createAction } from '../../session/action.ts';
import { perKey } from '../../session/per-key.ts';
import { resource } from '../../session/resource.ts';
import { errand } from '../../session/session.ts';

type Schemas = components['schemas'];
export type Webhook = Schemas['Webhook'];
export type WebhookEvent = Webhook['events'][number];
export type Delivery = Schemas['WebhookDelivery'];

export const eventWords: Record<WebhookEvent, string> = {
  'run.succeeded': 'A run has its answer',
  'run.failed': 'A run has failed or was cancelled',
  'run.awaiting_input': 'A run needs more input',
  'credits.low': 'The credits run low',
  'budget.reached': 'The budget of a key is spent',
  'schedule.result': 'A schedule has a result worth telling',
};

export const webhooks = perKey(() => {
  const list = resource(async ({ api }) => (await api.GET('/v1/webhooks')).data.webhooks);
  const changing = createAction();
  /** The last secret that the service has told. It tells each once. */
  const secret = signal<{ url: string; secret: string } | undefined>(undefined);
  const change = (work: (api: ReturnType<typeof errand>['api']) => Promise<unknown>) =>
    changing.run(async () => {
      await work(errand().api);
      await list.load();
    });
  const path = (id: string) => ({ params: { path: { id } } });
  return {
    ...{ list, changing, secret },
    create: (body: Schemas['NewWebhook']) =>
      change(async (api) => {
        secret.value = (await api.POST('/v1/webhooks', { body })).data;
      }),
    enable: ({ id, enabled }: Webhook) =>
      change((api) => api.PATCH('/v1/webhooks/{id}', { ...path(id), body: { enabled: !enabled } })),
    rotate: ({ id }: Webhook) =>
      change(async (api) => {
        secret.value = (await api.POST('/v1/webhooks/{id}/rotate', path(id))).data;
      }),
    remove: ({ id, url }: Webhook) =>
      change(async (api) => {
        await api.DELETE('/v1/webhooks/{id}', path(id));
        if (secret.peek()?.url === url) secret.value = undefined;
      }),
  };
});
