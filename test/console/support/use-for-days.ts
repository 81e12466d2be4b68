import type { House } from './house.ts';

const dayMilliseconds = 86_400_000;
const days = 24;

/** Has models work on most of the last days, so that there is a history to show. */
export async function useForDays({ service, setClock }: House): Promise<void> {
  const now = Date.now();
  for (let ago = days; ago > 0; ago--) {
    setClock(now - ago * dayMilliseconds);
    const weekday = new Date(now - ago * dayMilliseconds).getUTCDay();
    const busy = weekday === 0 || weekday === 6 ? 0 : 1 + ((ago * 7) % 5);
    for (let i = 0; i < busy; i++) {
      await chat(service, i % 3 === 2 ? 'eyes' : 'writer');
      await decide(service);
    }
  }
  setClock();
  for (const question of questions) {
    const agentId = await service.start({ question });
    if (question.endsWith('?')) await service.follow(agentId);
    else await service.post(`/v1/agents/runs/${agentId}/cancel`, {});
  }
}

const questions = [
  'Which suppliers have raised their prices since spring, and by how much?',
  'Draft the letter to the landlord about the doors of hall B.',
  'How many hours did the cooling of hall B run in August?',
];

async function chat(service: House['service'], model: string): Promise<void> {
  const { status } = await service.post('/v1/chat/completions', {
    model,
    messages: [{ role: 'user', content: 'Sum up the week.' }],
  });
  if (status !== 200) throw new Error(`chat: ${status}`);
}

async function decide(service: House['service']): Promise<void> {
  const state = 'The doors of hall B stood open again. '.repeat(60);
  const { status } = await service.post('/v1/systemone', {
    model: 'judge',
    state,
    questions: { open: { type: 'noul', instructions: 'Did the doors stand open?' } },
  });
  if (status !== 200) throw new Error(`decision: ${status}`);
}
