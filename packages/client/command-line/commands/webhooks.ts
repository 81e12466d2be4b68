import { type Command, Option } from 'commander';
import type { components } from '../../schema.ts';
import { UsageError } from '../exit-codes.ts';
import type { Session } from '../session/session.ts';
import { throwMissing } from '../shown/failure-words.ts';
import { tableLines } from '../shown/table.ts';
import { age, utcTime } from '../shown/words.ts';

type Schemas = components['schemas'];
type Webhook = Schemas['Webhook'];
type Delivery = Schemas['WebhookDelivery'];

const runEvents = ['run.succeeded', 'run.failed', 'run.awaiting_input'] as const;
const events: readonly Webhook['events'][number][] = [
  ...runEvents,
  'credits.low',
  'budget.reached',
  'schedule.result',
];

const webhookColumns = [
  { head: 'WEBHOOK' },
  { head: 'STATE' },
  { head: 'ADDRESS' },
  { head: 'EVENTS' },
] as const;

const rowOf = ({ id, enabled, disabledReason, url, events }: Webhook): string[] => [
  id,
  enabled ? 'on' : `off (${disabledReason ?? 'owner'})`,
  url,
  events.join(','),
];

const deliveryColumns = [
  { head: 'DELIVERY' },
  { head: 'EVENT' },
  { head: 'STATUS' },
  { head: 'TRIES', right: true },
  { head: 'AGE', right: true },
  { head: 'ANSWER' },
] as const;

const deliveryRow = (delivery: Delivery, now: number): string[] => {
  const { id, type, status, attempts, createdAt, response, error, nextAttemptAt } = delivery;
  const answer = response ? `${response.status} ${response.body}` : (error ?? '');
  const next = nextAttemptAt === undefined ? '' : ` (again at ${utcTime(nextAttemptAt)})`;
  return [id, type, status, String(attempts), age(createdAt, now), `${answer}${next}`.trim()];
};

const path = (id: string) => ({ params: { path: { id } } });

async function list(session: Session): Promise<void> {
  const { data } = await (await session.connect()).api.GET('/v1/webhooks');
  session.show(data, () =>
    data.webhooks.length === 0 ? ['No webhooks.'] : tableLines(webhookColumns, data.webhooks.map(rowOf)),
  );
}

interface CreateOptions {
  events?: string;
  description?: string;
}

function readEvents(given: string | undefined): Webhook['events'] {
  if (given === undefined) return [...runEvents];
  const names = given.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !events.some((event) => event === name));
  if (unknown !== undefined)
    throw new UsageError(`--events has ${unknown}, which is none of ${events.join(', ')}.`);
  return names as Webhook['events'];
}

/** The secret is what was asked for, so it goes to stdout. */
async function create(session: Session, url: string, options: CreateOptions): Promise<void> {
  const body = { url, events: readEvents(options.events), description: options.description };
  const { data } = await (await session.connect()).api.POST('/v1/webhooks', { body });
  session.show(data, () => [data.id, `Its secret, which is not shown again: ${data.secret}`]);
}

async function rotate(session: Session, id: string): Promise<void> {
  const { data } = await (await session.connect()).api.POST('/v1/webhooks/{id}/rotate', path(id));
  session.show(data, () => [
    `The new secret of ${data.id}, which is not shown again: ${data.secret}`,
    ...(data.previousSecretUntil
      ? [`The one before signs too, until ${utcTime(data.previousSecretUntil)}.`]
      : []),
  ]);
}

async function remove(session: Session, id: string): Promise<void> {
  await (await session.connect()).api.DELETE('/v1/webhooks/{id}', path(id));
  session.show({ id }, () => [`${id} is deleted.`]);
}

async function deliveries(session: Session, id: string, cursor: string | undefined): Promise<void> {
  const { data } = await (await session.connect()).api.GET('/v1/webhooks/{id}/deliveries', {
    params: { path: { id }, query: { cursor } },
  });
  session.show(data, () =>
    data.deliveries.length === 0
      ? ['Nothing was sent yet.']
      : tableLines(
          deliveryColumns,
          data.deliveries.map((delivery) => deliveryRow(delivery, Date.now())),
        ),
  );
}

async function test(session: Session, id: string): Promise<void> {
  const { data } = await (await session.connect()).api.POST('/v1/webhooks/{id}/test', path(id));
  session.show(data, () => [`${data.id} is on its way: errand webhooks deliveries ${id}`]);
}

async function redeliver(session: Session, id: string, delivery: string): Promise<void> {
  const { api } = await session.connect();
  const { data } = await api
    .POST('/v1/webhooks/{id}/deliveries/{delivery}/redeliver', { params: { path: { id, delivery } } })
    .catch(throwMissing(`delivery ${delivery} of webhook ${id}`));
  session.show(data, () => [`${data.id} is on its way again.`]);
}

export function defineWebhooks(program: Command, session: Session): void {
  const webhooks = program.command('webhooks').description('create, try and delete webhooks');
  webhooks
    .command('list')
    .description('the webhooks of this key')
    .addHelpText('after', '\nWith --json: one document, {webhooks}.')
    .action(() => list(session));
  webhooks
    .command('create')
    .description('have an address told when a run has ended, or money runs out')
    .argument('<url>', 'where events are sent: a public https address')
    .addOption(
      new Option('--events <names>', `what it hears of, with commas: ${events.join(', ')}`).default(
        undefined,
        'the ends of runs',
      ),
    )
    .option('--description <text>', 'what it is for')
    .addHelpText('after', '\nWith --json: one document, the webhook with its secret.')
    .action((url: string, options: CreateOptions) => create(session, url, options));
  const forOne = (
    name: string,
    description: string,
    json: string,
    act: (id: string, options: { cursor?: string }) => Promise<void>,
  ) =>
    webhooks
      .command(name)
      .description(description)
      .argument('<webhook>', 'the id of the webhook')
      .addHelpText('after', `\nWith --json: one document, ${json}.`)
      .action((id: string, options) => act(id, options).catch(throwMissing(`webhook ${id}`)));
  forOne('delete', 'send no more events to a webhook', '{id}', (id) => remove(session, id));
  forOne('rotate', 'give a webhook a new secret', 'the webhook with its secret', (id) => rotate(session, id));
  forOne('test', 'send a test event now', 'the delivery', (id) => test(session, id));
  forOne('deliveries', 'what was sent lately, newest first', '{deliveries, cursor?}', (id, { cursor }) =>
    deliveries(session, id, cursor),
  ).option('--cursor <cursor>', 'the `cursor` of the page before, for the next one');
  webhooks
    .command('redeliver')
    .description('send a delivery again')
    .argument('<webhook>', 'the id of the webhook')
    .argument('<delivery>', 'the id of the delivery')
    .addHelpText('after', '\nWith --json: one document, the delivery.')
    .action((id: string, delivery: string) => redeliver(session, id, delivery));
}
