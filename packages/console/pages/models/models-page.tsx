import { curlOf } from '../../calls/curl.ts';
import { typescriptOf } from '../../calls/typescript.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { SameCall } from '../../parts/same-call.tsx';
import { ModelCard } from './model-card.tsx';
import { type Model, models } from './models-state.ts';

const kinds: Record<Model['kind'], string> = {
  chat: 'Chat',
  vision: 'Vision',
  speech: 'Speech',
  decision: 'Decisions',
  embedding: 'Embeddings',
};

export function ModelsPage() {
  const { data, error, load, need } = models();
  need();
  const list = data.value?.models ?? [];
  return (
    <>
      <PageHead title="Models">What answers here, what each can do, and what it costs.</PageHead>
      <ErrorNotice error={error.value} retry={() => void load()} />
      {Object.entries(kinds).map(([kind, name]) => {
        const ofKind = list.filter((model) => model.kind === kind);
        if (ofKind.length === 0) return null;
        return (
          <section key={kind} class="stack" aria-label={name}>
            <h2>{name}</h2>
            <ul class="cards">
              {ofKind.map((model) => (
                <ModelCard key={model.id} model={model} />
              ))}
            </ul>
          </section>
        );
      })}
      <SameCall
        call={() => ({
          curl: curlOf({ path: '/v1/models' }, location.origin),
          typescript: typescriptOf(
            location.origin,
            `const { data } = await errand.api.GET('/v1/models');`,
            'console.log(data);',
          ),
        })}
      />
    </>
  );
}
