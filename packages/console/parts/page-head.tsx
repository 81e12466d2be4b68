import type { ComponentChildren } from 'preact';

export function PageHead({
  title,
  children,
  actions,
}: {
  title: string;
  children?: ComponentChildren;
  actions?: ComponentChildren;
}) {
  return (
    <div class="page-head">
      <div>
        <h1>{title}</h1>
        {children && <p class="lead">{children}</p>}
      </div>
      {actions && <div class="row">{actions}</div>}
    </div>
  );
}
