import type { AskedCall } from '@errand/client';
import type { Signal } from '@preact/signals';
import { Field } from '../../parts/field.tsx';
import { ScrollableText } from '../../parts/scrollable.tsx';
import { exactArguments, type Replies, type Reply } from './replies.ts';

/** The calls that a run asks about, each with what the visitor says to it. */
export function AskedCalls({
  calls,
  replies,
  hasServers,
}: {
  calls: readonly AskedCall[];
  replies: Signal<Replies>;
  hasServers: boolean;
}) {
  const set = (id: string, part: Reply) => {
    replies.value = { ...replies.value, [id]: { ...replies.value[id], ...part } };
  };
  return (
    <>
      {calls.map((call) => (
        <fieldset key={call.id} class="question stack">
          <legend>
            <code>{call.name}</code>
          </legend>
          <ScrollableText label={`Arguments of ${call.name}`}>
            {exactArguments(call.arguments)}
          </ScrollableText>
          {call.type === 'approval' ? (
            <Approval call={call} reply={replies.value[call.id] ?? {}} set={(part) => set(call.id, part)} />
          ) : (
            <Result call={call} reply={replies.value[call.id] ?? {}} set={(part) => set(call.id, part)} />
          )}
        </fieldset>
      ))}
      {!hasServers && calls.some(({ type, name }) => type === 'approval' && name.includes('__')) && (
        <p class="notice">The tool is one of a server, which has to be named again among the tools below.</p>
      )}
    </>
  );
}

interface ReplyProps {
  call: AskedCall;
  reply: Reply;
  set: (part: Reply) => void;
}

const Approval = ({ call: { id, probability }, reply, set }: ReplyProps) => (
  <>
    {probability !== undefined && (
      <p class="fine">
        That the question asks for it was judged to be {Math.round(probability * 100)} % likely.
      </p>
    )}
    <div class="row">
      {([true, false] as const).map((approve) => (
        <label key={String(approve)} class="check">
          <input
            type="radio"
            required
            name={id}
            checked={reply.approve === approve}
            onChange={() => set({ approve })}
          />
          {approve ? 'Approve' : 'Refuse'}
        </label>
      ))}
    </div>
    {reply.approve === false && (
      <Field name="Reason" hint="The model reads it.">
        <input
          dir="auto"
          value={reply.text ?? ''}
          onInput={({ currentTarget }) => set({ text: currentTarget.value })}
        />
      </Field>
    )}
  </>
);

const Result = ({ call: { name }, reply, set }: ReplyProps) => (
  <>
    <Field name={`Result of ${name}`}>
      <textarea
        required
        rows={2}
        dir="auto"
        value={reply.text ?? ''}
        onInput={({ currentTarget }) => set({ text: currentTarget.value })}
      />
    </Field>
    <label class="check">
      <input
        type="checkbox"
        checked={reply.failed ?? false}
        onChange={({ currentTarget }) => set({ failed: currentTarget.checked })}
      />
      <span>It has failed, and this says why</span>
    </label>
  </>
);
