import { useEffect } from 'preact/hooks';
import { curlOf } from '../../calls/curl.ts';
import { typescriptOf } from '../../calls/typescript.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { SameCall } from '../../parts/same-call.tsx';
import { NewWebhook } from './new-webhook.tsx';
import { WebhookCard } from './webhook-card.tsx';
import { webhooks } from './webhooks-state.ts';
import './webhooks.css';

/** Where the service tells of runs that end, and of money that runs out. */
export function WebhooksPage() {
  const { list, changing } = webhooks();
  useEffect(() => void list.load(), [list]);
  return (
    <>
      <PageHead title="Webhooks">
        The service calls an address of yours when a run has ended or money runs out, so that your program
        need not ask again and again.
      </PageHead>
      <ErrorNotice error={changing.error.value} />
      <ErrorNotice error={list.error.value} retry={() => void list.load()} />
      <Secret />
      {list.data.value?.length === 0 && <p class="empty">This key has no webhooks yet.</p>}
      <ul class="webhooks">
        {list.data.value?.map((webhook) => (
          <WebhookCard key={webhook.id} webhook={webhook} />
        ))}
      </ul>
      <NewWebhook />
      <SameCall
        call={() => ({
          curl: curlOf({ path: '/v1/webhooks' }, location.origin),
          typescript: typescriptOf(
            location.origin,
            `const { data } = await errand.api.GET('/v1/webhooks');`,
            'console.log(data.webhooks);',
          ),
        })}
      />
    </>
  );
}

function Secret() {
  const told = webhooks().secret.value;
  if (!told) return null;
  return (
    <section class="notice" role="status">
      <p>
        <strong>The secret of {told.url}.</strong> Keep it now: it is not shown again. Your program checks
        with it that a call comes from this service.
      </p>
      <p class="row">
        <code>{told.secret}</code>
        <CopyButton text={told.secret} />
      </p>
    </section>
  );
}
