import { useSignal } from '@preact/signals';
import type { ShownCall } from '../calls/shown-call.ts';
import { CopyButton } from './copy-button.tsx';
import { ScrollableText } from './scrollable.tsx';
import { Tabs } from './tabs.tsx';

/** The call that the page makes, for a terminal and for a program. The key stands there by its variable's name. */
export function SameCall({ call }: { call: () => ShownCall }) {
  const open = useSignal(false);
  return (
    <details
      class="same-call"
      onToggle={({ currentTarget }) => {
        open.value = currentTarget.open;
      }}
    >
      <summary>The same call in code</summary>
      {open.value && <Code call={call()} />}
    </details>
  );
}

const languages = { curl: 'curl', typescript: 'TypeScript' } as const;

function Code({ call }: { call: ShownCall }) {
  const language = useSignal<keyof typeof languages>('curl');
  const text = call[language.value];
  return (
    <>
      <div class="row spread">
        <Tabs
          label="Language"
          names={languages}
          chosen={language.value}
          choose={(name) => {
            language.value = name;
          }}
        />
        <CopyButton text={text} />
      </div>
      <ScrollableText label={`The call as ${languages[language.value]}`}>{text}</ScrollableText>
    </>
  );
}
