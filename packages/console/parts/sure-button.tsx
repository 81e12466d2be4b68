import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

interface SureButtonProps {
  /** What a second press does; without it, the first press does it. */
  question: string | undefined;
  disabled: boolean;
  onSure(): void;
  children: ComponentChildren;
}

/** The first press asks, where something would be lost; the second one does it. */
export function SureButton({ question, disabled, onSure, children }: SureButtonProps) {
  const asks = useSignal(false);
  const press = () => {
    if (question === undefined || asks.value) onSure();
    asks.value = question !== undefined && !asks.value;
  };
  return (
    <button
      type="button"
      class="quiet"
      disabled={disabled}
      onClick={press}
      onBlur={() => {
        asks.value = false;
      }}
    >
      {asks.value ? question : children}
    </button>
  );
}
