import { type Run, stepWords } from '@errand/client';
import { useSignal } from '@preact/signals';
import { Markdown } from '../markdown/markdown.tsx';
import { Boundary } from '../parts/boundary.tsx';
import { ScrollableText } from '../parts/scrollable.tsx';
import { formatEuro } from '../words/money.ts';
import { formatDuration } from '../words/time.ts';
import type { StepFigures } from './step-figures.ts';
import { type Message, type Step, showInput, summarise, type ToolCall } from './timeline.ts';
import { useStepFigures } from './use-step-figures.ts';

/** The steps of a run. They stand open while it works, and fold away below its answer. */
export function Timeline({
  steps,
  over,
  answer,
  run,
}: {
  steps: readonly Step[];
  over: boolean;
  answer: string | undefined;
  run: Run | undefined;
}) {
  const open = useSignal(false);
  const figures = useStepFigures(run, over && (answer === undefined || open.value));
  const list = (
    <ol class="timeline">
      {steps.map((step, i) => (
        <StepItem
          key={step.step}
          step={step}
          figures={figures.get(step.step)}
          working={!over && i === steps.length - 1}
          answer={answer}
        />
      ))}
      {steps.length === 0 && <li class="working">Not begun yet …</li>}
    </ol>
  );
  if (answer === undefined) return list;
  return (
    <details
      class="fold"
      onToggle={({ currentTarget }) => {
        open.value = currentTarget.open;
      }}
    >
      <summary>How it got there: {steps.length === 1 ? 'one step' : `${steps.length} steps`}</summary>
      {list}
    </details>
  );
}

interface StepItemProps {
  step: Step;
  figures: StepFigures | undefined;
  working: boolean;
  answer: string | undefined;
}

function StepItem({ step, figures, working, answer }: StepItemProps) {
  return (
    <li class={working ? 'working' : 'complete'}>
      <div class="row">
        <h3>{stepWords(step.description)}</h3>
        {figures && <span class="fine">{tellFigures(figures)}</span>}
      </div>
      {step.items.map((item) =>
        item.kind === 'call' ? (
          <Boundary
            key={item.id}
            otherwise={<p class="fine">A call of {item.toolName} that cannot be shown.</p>}
          >
            <Call call={item} />
          </Boundary>
        ) : (
          <MessageItem key={item.id} message={item} answer={answer} />
        ),
      )}
    </li>
  );
}

const tellFigures = ({ milliseconds, euros }: StepFigures): string =>
  [milliseconds !== undefined && formatDuration(milliseconds), euros !== undefined && formatEuro(euros)]
    .filter(Boolean)
    .join(' · ');

function Call({ call }: { call: ToolCall }) {
  const { toolName, input, result } = call;
  const state = result === undefined ? 'working' : result.startsWith('Error:') ? 'failed' : 'done';
  return (
    <details class={`call is-${state}`}>
      <summary>
        <code class="tool">{toolName}</code> <span class="about">{summarise(input)}</span>
        {state === 'working' && <span class="fine">working …</span>}
        {state === 'failed' && <span class="fine bad-text">failed</span>}
      </summary>
      <h4>Input</h4>
      <ScrollableText label={`Input of ${toolName}`}>{showInput(input)}</ScrollableText>
      {result !== undefined && <h4>Result</h4>}
      {result !== undefined && <ScrollableText label={`Result of ${toolName}`}>{result}</ScrollableText>}
    </details>
  );
}

const MessageItem = ({ message: { text }, answer }: { message: Message; answer: string | undefined }) =>
  text.trim() === answer?.trim() ? (
    <p class="fine">The answer, as above.</p>
  ) : (
    <div class="message">
      <Markdown text={text} />
    </div>
  );
