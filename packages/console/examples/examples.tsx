import { ask } from '../pages/ask/ask-state.ts';
import type { ChatState } from '../pages/chat/conversation.ts';
import { decisions } from '../pages/decide/decide-state.ts';
import { newQuestion } from '../pages/decide/questions.ts';
import { newSkill } from '../pages/skills/skill-kind.ts';
import { go, route } from '../shell/route.ts';
import { askExamples } from './ask-examples.ts';
import { decideExamples } from './decide-examples.ts';
import { skillExamples } from './skill-examples.ts';
import './examples.css';

interface Example {
  /** What people read on the button. */
  name: string;
  take: () => void;
}

/** What an empty page may begin with. A click fills the page's form, and sends nothing. */
const Examples = ({ examples }: { examples: readonly Example[] }) => (
  <section class="examples" aria-label="Examples">
    <span class="fine">Or try one of these:</span>
    {examples.map(({ name, take }) => (
      <button
        key={name}
        type="button"
        onClick={() => {
          take();
          document.querySelector<HTMLElement>('main textarea:not(.settings *)')?.focus();
        }}
      >
        {name}
      </button>
    ))}
  </section>
);

/** Also for pages that have no form for a question: the click leads to it. */
export const AskExamples = () => (
  <Examples
    examples={askExamples.map(({ question, file }) => ({
      name: file ? `${question} (brings a file)` : question,
      take: () => {
        const state = ask();
        state.question.value = question;
        state.file.value = file?.();
        if (route.peek().page !== 'ask') go('ask');
      },
    }))}
  />
);

const messages = [
  'Explain to a ten-year-old why the sky is blue.',
  'Say this more kindly: “Your report is late again.”',
  'Suggest five names for a bakery that opens at night.',
];

export const ChatExamples = ({ state }: { state: Pick<ChatState, 'draft'> }) => (
  <Examples
    examples={messages.map((name) => ({
      name,
      take: () => {
        state.draft.value = name;
      },
    }))}
  />
);

export const DecideExamples = () => (
  <Examples
    examples={decideExamples.map(({ name, state, question }) => ({
      name,
      take: () => {
        decisions().state.value = state;
        decisions().questions.value = [newQuestion(question)];
      },
    }))}
  />
);

export const SkillExamples = () => (
  <Examples
    examples={skillExamples.map((draft) => ({
      name: draft.description,
      take: () => {
        newSkill().value = draft;
        go('skills', 'new');
      },
    }))}
  />
);
