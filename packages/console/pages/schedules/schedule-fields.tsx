import type { Signal } from '@preact/signals';
import { CapField } from '../../parts/cap-field.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Field } from '../../parts/field.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { AgentSelect } from '../ask/agent-select.tsx';
import { nextInstants } from './next-instants.ts';
import type { ScheduleDraft } from './schedule-draft.ts';

const nameCharacters = 100; // limits.scheduleNameCharacters
const cronCharacters = 100; // limits.cronCharacters
const noticeCharacters = 4_000; // limits.notifyQuestionCharacters

interface PartProps {
  draft: ScheduleDraft;
  set: (part: Partial<ScheduleDraft>) => void;
}

export function ScheduleFields({ draft }: { draft: Signal<ScheduleDraft> }) {
  const set: PartProps['set'] = (part) => {
    draft.value = { ...draft.value, ...part };
  };
  return (
    <>
      <Asked draft={draft.value} set={set} />
      <Times draft={draft.value} set={set} />
      <Limits draft={draft.value} set={set} />
      <Notice draft={draft.value} set={set} />
    </>
  );
}

const Asked = ({ draft, set }: PartProps) => (
  <>
    <div class="columns">
      <Field name="Name">
        <input
          maxLength={nameCharacters}
          value={draft.name}
          onInput={({ currentTarget }) => set({ name: currentTarget.value })}
        />
      </Field>
      <AgentSelect
        chosen={{
          get value() {
            return draft.agent;
          },
          set value(agent) {
            set({ agent });
          },
        }}
        unset="The service's own"
      />
    </div>
    <Field
      name="Question"
      hint={draft.agent ? 'Without one, the agent does what its instructions say.' : undefined}
    >
      <textarea
        rows={3}
        dir="auto"
        required={!draft.agent}
        value={draft.question}
        onInput={({ currentTarget }) => set({ question: currentTarget.value })}
      />
    </Field>
  </>
);

const timings = { cron: 'At times', every: 'Again and again' } as const;

const Times = ({ draft, set }: PartProps) => (
  <fieldset class="stack">
    <legend>When</legend>
    <div>
      <Tabs
        label="Kind of times"
        names={timings}
        chosen={draft.timing}
        choose={(timing) => set({ timing })}
      />
    </div>
    {draft.timing === 'cron' ? (
      <CronFields draft={draft} set={set} />
    ) : (
      <Field name="Every" hint="A number of minutes, hours or days: 15m, 6h, 1d">
        <input
          required
          pattern="[1-9]\d{0,4}[mhd]"
          value={draft.every}
          onInput={({ currentTarget }) => set({ every: currentTarget.value })}
        />
      </Field>
    )}
  </fieldset>
);

const zones = (chosen: string): string[] => [
  ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), chosen]),
];

function CronFields({ draft, set }: PartProps) {
  const { cron, timeZone } = draft;
  const instants = nextInstants(cron, timeZone, new Date());
  const problem = instants ? '' : 'These are no five fields of cron yet.';
  return (
    <>
      <div class="columns">
        <Field name="Times" hint={problem || 'Minute, hour, day of the month, month, day of the week (cron)'}>
          <input
            class="code"
            required
            spellcheck={false}
            maxLength={cronCharacters}
            aria-invalid={problem !== ''}
            value={cron}
            ref={(field) => field?.setCustomValidity(problem)}
            onInput={({ currentTarget }) => set({ cron: currentTarget.value })}
          />
        </Field>
        <Field name="Time zone">
          <select value={timeZone} onChange={({ currentTarget }) => set({ timeZone: currentTarget.value })}>
            {zones(timeZone).map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </select>
        </Field>
      </div>
      {instants && (
        <div aria-live="polite">
          <p class="fine">{instants.length > 0 ? 'The next times' : 'It is never due.'}</p>
          <ol class="instants" aria-label="The next times">
            {instants.map((instant) => (
              <li key={instant}>{instant}</li>
            ))}
          </ol>
        </div>
      )}
    </>
  );
}

const overlapWords = { skip: 'leave it out', queue: 'start it when the other has ended' } as const;

const Limits = ({ draft, set }: PartProps) => (
  <div class="columns">
    <Choice
      name="If the run before goes on"
      value={draft.overlap}
      words={overlapWords}
      set={(overlap) => set({ overlap })}
    />
    <Field name="Until" hint="In your own time zone; empty for no end">
      <input
        type="datetime-local"
        value={draft.until}
        onInput={({ currentTarget }) => set({ until: currentTarget.value })}
      />
    </Field>
    <CapField hint="Of each run" value={draft.maxCredits} set={(maxCredits) => set({ maxCredits })} />
  </div>
);

const Notice = ({ draft, set }: PartProps) => (
  <div class="columns">
    <Field
      name="Tell my webhooks only if"
      hint="A question about the result and the one before, which a decision model answers (costs extra)"
    >
      <input
        maxLength={noticeCharacters}
        placeholder="Is there anything new?"
        value={draft.notifyIf}
        onInput={({ currentTarget }) => set({ notifyIf: currentTarget.value })}
      />
    </Field>
    {draft.notifyIf.trim() && (
      <Field name="From this probability on, in %">
        <input
          type="number"
          required
          min={0}
          max={100}
          value={draft.threshold}
          onInput={({ currentTarget }) => set({ threshold: currentTarget.value })}
        />
      </Field>
    )}
  </div>
);
