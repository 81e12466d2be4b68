import { hrefOf } from '../shell/route.ts';
import type { Named } from './kind.ts';

const scopeNames: Record<string, string> = { user: 'Your own', organisation: 'Your organisation' };

const titleOf = (scope: string): string => scopeNames[scope] ?? `From the ${scope}`;

/** Skills or agents by whose they are. One without an id has no page: another one has its name. */
export const NamedList = <Thing extends Named>({
  room,
  list,
  idOf,
}: {
  room: 'skills' | 'agents';
  list: readonly Thing[];
  idOf: (thing: Thing, index: number) => string | undefined;
}) =>
  [
    ...Map.groupBy(
      list.map((thing, i) => ({ ...thing, id: idOf(thing, i) })),
      ({ scope }) => scope,
    ),
  ].map(([scope, things]) => (
    <section key={scope} class="stack" aria-label={titleOf(scope)}>
      <h2>{titleOf(scope)}</h2>
      <ul class="cards">
        {things.map(({ id, ...thing }) => (
          <Item key={thing.name} thing={thing} href={id === undefined ? undefined : hrefOf(room, id)} />
        ))}
      </ul>
    </section>
  ));

const Item = ({
  thing: { name, description, version, enabled },
  href,
}: {
  thing: Named;
  href: string | undefined;
}) => (
  <li class="card stack">
    <div>
      <h3>{href === undefined ? name : <a href={href}>{name}</a>}</h3>
      {description && <p class="fine">{description}</p>}
    </div>
    <p class="row">
      <span class={enabled ? 'pill is-on' : 'pill'}>{enabled ? 'enabled' : 'disabled'}</span>
      <span class="fine">{version === null ? 'without versions' : `version ${version}`}</span>
      {href === undefined && <span class="fine">another one has its name</span>}
    </p>
  </li>
);
