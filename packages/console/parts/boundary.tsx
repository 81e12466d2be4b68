import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';

/** Shows something else in place of what cannot be drawn, so that the rest of the page stays. */
export function Boundary({
  otherwise,
  children,
}: {
  otherwise: ComponentChildren;
  children: ComponentChildren;
}) {
  const [error] = useErrorBoundary();
  return <>{error ? otherwise : children}</>;
}
