import { useSignal } from '@preact/signals';

export function CopyButton({ text, name = 'Copy' }: { text: string; name?: string }) {
  const copied = useSignal('');
  // Browsers have no clipboard for pages that came over plain HTTP from another machine.
  if (!navigator.clipboard) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    copied.value = text;
  };
  return (
    <button type="button" class="quiet" onClick={() => void copy().catch(() => {})}>
      <span aria-live="polite">{copied.value === text ? 'Copied' : name}</span>
    </button>
  );
}
