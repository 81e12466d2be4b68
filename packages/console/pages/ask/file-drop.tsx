import { type Signal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { formatBytes } from '../../words/quantities.ts';

/** A file that is dropped here, or chosen. */
export function FileDrop({ file }: { file: Signal<File | undefined> }) {
  const over = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  const take = (files: FileList | null | undefined) => {
    if (files?.[0]) file.value = files[0];
  };
  const clear = () => {
    file.value = undefined;
    if (input.current) input.current.value = '';
    input.current?.focus();
  };
  return (
    <fieldset
      class={over.value ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        over.value = true;
      }}
      onDragLeave={() => {
        over.value = false;
      }}
      onDrop={(event) => {
        event.preventDefault();
        over.value = false;
        take(event.dataTransfer?.files);
      }}
    >
      <legend class="unseen">File</legend>
      <label>
        <input
          ref={input}
          type="file"
          class="unseen"
          onChange={({ currentTarget }) => take(currentTarget.files)}
        />
        {file.value ? (
          <span>
            <strong>{file.value.name}</strong> <span class="fine">{formatBytes(file.value.size)}</span>
          </span>
        ) : (
          <span>
            <strong>Choose a file</strong> or drop one here
            <span class="fine"> · a document, an image or a recording</span>
          </span>
        )}
      </label>
      {file.value && (
        <button type="button" class="quiet" onClick={clear}>
          Remove
        </button>
      )}
    </fieldset>
  );
}
