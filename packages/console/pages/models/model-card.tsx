import { formatEuro } from '../../words/money.ts';
import { formatCount } from '../../words/quantities.ts';
import type { Model, Price } from './models-state.ts';

const abilities = {
  tools: 'tools',
  images: 'images',
  structuredOutput: 'structured output',
  streaming: 'streaming',
} satisfies Partial<Record<keyof Model['capabilities'], string>>;

const prices = {
  inputPerMillionTokens: 'Input, a million tokens',
  cachedInputPerMillionTokens: 'Cached input',
  cacheWritePerMillionTokens: 'Writing to the cache',
  outputPerMillionTokens: 'Output, a million tokens',
  perSecond: 'A second',
} as const;

export function ModelCard({ model }: { model: Model }) {
  const { id, description, capabilities, pricing, next } = model;
  const able = Object.entries(abilities).filter(([name]) => capabilities[name as keyof typeof capabilities]);
  return (
    <li class="card model">
      <div>
        <h3>
          <code>{id}</code>
        </h3>
        {description && <p class="fine">{description}</p>}
      </div>
      {able.length > 0 && (
        <p class="row tags">
          {able.map(([, name]) => (
            <span key={name} class="pill">
              {name}
            </span>
          ))}
        </p>
      )}
      <PriceList price={pricing} />
      {next && (
        <div>
          <h4>From {next.from}</h4>
          <PriceList price={next} />
        </div>
      )}
      <p class="fine">
        {[
          model.context_length !== undefined && `reads ${formatCount(model.context_length)} tokens`,
          model.owned_by && `by ${model.owned_by}`,
          model.releaseDate && `since ${model.releaseDate}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </li>
  );
}

const PriceList = ({ price }: { price: Omit<Price, 'from'> }) => (
  <dl class="prices">
    {Object.entries(prices).map(([name, words]) => {
      const euros = price[name as keyof typeof prices];
      return euros === undefined ? null : (
        <div key={name}>
          <dt>{words}</dt>
          <dd class="money">{formatEuro(euros)}</dd>
        </div>
      );
    })}
  </dl>
);
