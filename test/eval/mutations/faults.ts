/** A fault of the service: small edits of its sources. The texts must be there, each once. */
export interface Fault {
  name: string;
  edits: readonly Edit[];
}

interface Edit {
  file: string;
  find: string;
  replace: string;
}

const fault = (name: string, file: string, find: string, replace: string): Fault => ({
  name,
  edits: [{ file: `packages/${file}`, find, replace }],
});

/** The prompt without the lines that have these words. */
const promptWithout = (what: string, words: string): Fault =>
  fault(
    `prompt without ${what}`,
    'agent/conversation.ts',
    'const systemPrompt = (',
    `const systemPrompt = (...all: Parameters<typeof wholePrompt>) => wholePrompt(...all).split('\\n').filter((line) => !/${words}/i.test(line)).join('\\n');
const wholePrompt = (`,
  );

const brokenTool = (name: string): Fault =>
  fault(
    `${name} broken`,
    'agent/call.ts',
    'const { tool, args } = prepared;',
    `const { tool, args } = prepared;
  if (tool.name === '${name}') return { text: 'Error: ${name} is broken.' };`,
  );

const descriptions = ['definition = { name, description, parameters: schema,'] as const;

export const faults: readonly Fault[] = [
  {
    name: 'prompt replaced, tools described as broken',
    edits: [
      {
        file: 'packages/agent/conversation.ts',
        find: 'const systemPrompt = (',
        replace: `const systemPrompt = (..._: unknown[]) => 'Never use a tool. Never cite. Guess.';
export const wholePrompt = (`,
      },
      {
        file: 'packages/agent/tool.ts',
        find: descriptions[0],
        replace: "definition = { name, description: description && 'Broken.', parameters: schema,",
      },
    ],
  },
  promptWithout('how to cite', 'have numbers'),
  promptWithout('what to do with contradictions', 'contradict'),
  promptWithout('what to say of gaps', 'could not f'),
  promptWithout('what material from outside is', 'outside_material'),
  fault(
    'descriptions of tools gone',
    'agent/tool.ts',
    descriptions[0],
    "definition = { name, description: description && '', parameters: schema,",
  ),
  fault(
    'tools gone',
    'agent/tools/index.ts',
    '  return [\n    webSearch',
    '  if (deps) return [];\n  return [\n    webSearch',
  ),
  ...['web_search', 'web_crawl', 'document_parse', 'save_file', 'read_data'].map(brokenTool),
  fault(
    'results of searches reversed',
    'web/search/search.ts',
    '.slice(0, resultsPerSearch)',
    '.slice(0, resultsPerSearch).reverse()',
  ),
  fault(
    'passages ranked the wrong way',
    'passages/search/rank-passages.ts',
    '.map(({ id }) => id as number)',
    '.map(({ id }) => id as number).reverse()',
  ),
  fault('passages empty', 'passages/show/label.ts', `]\\n\${text}\``, ']\\n`'),
  fault(
    'outline without passages',
    'passages/show/show-best.ts',
    '...chosen.map(({ text }) => text)',
    "...chosen.map(() => '')",
  ),
  fault(
    'results of tools cut to 100 characters',
    'agent/answer-call.ts',
    'cutText(result, Math.floor(share / density(result)))',
    'cutText(result, Math.min(share, 100))',
  ),
  fault(
    'citations off by one',
    'agent/citations/cite-answer.ts',
    'byNumber.get(number)',
    'byNumber.get(number + 1)',
  ),
  fault('sources numbered anew', 'agent/sources/number-sources.ts', 'before?.number ?? ++last', '++last'),
  fault(
    'marks of material from outside gone',
    'agent/outside/material.ts',
    `\`\${open}\\n\${text`,
    `\`\${text`,
  ),
  fault('fence down', 'agent/act.ts', 'await input.fence.check(known, planned.wanted)', 'planned.wanted'),
  fault(
    'compaction drops the question',
    'agent/context/fit-conversation.ts',
    "if (message.role !== 'user' || message.content.length <= maxCharacters) return message;",
    "if (message.role === 'user') return { ...message, content: '(left out)' };\n  if (message.content) return message;",
  ),
  fault(
    'compaction keeps no passage',
    'agent/context/condense.ts',
    'bestPieces(piecesOf(text), interest)',
    'bestPieces(piecesOf(text).slice(0, 1), interest)',
  ),
  fault(
    'check replaces always',
    'agent/finish.ts',
    'const checked = checkedAnswer(state, text);',
    "const checked = text.trim() || (checkedAnswer(state, text) && 'The answer is complete.');",
  ),
  fault(
    'check replaces never',
    'agent/finish.ts',
    'const checked = checkedAnswer(state, text);',
    'const checked = state.answer.trim() ? state.answer : checkedAnswer(state, text);',
  ),
  fault(
    'proof ignored',
    'runs/worker/make-agent.ts',
    'run.proof ? judgeOf(',
    'run.proof && deps === undefined ? judgeOf(',
  ),
  fault('one round of calls', 'platform/limits.ts', 'roundsPerRun: 20', 'roundsPerRun: 1'),
  fault(
    'cut answers not continued',
    'agent/take-text.ts',
    'const goesOn = !isLast',
    'const goesOn = false && !isLast',
  ),
  fault('skills left out', 'agent/begin.ts', 'deps.shapeOpening(', '('),
  fault(
    'form of the result not shown',
    'agent/answer/value-prompts.ts',
    `\${writtenForm(schema)}`,
    `\${writtenForm(schema).slice(0, 1)}`,
  ),
  fault(
    'values not checked',
    'agent/answer/value-form.ts',
    'return problems.map((',
    'return problems.slice(problems.length).map((',
  ),
  fault(
    'problems of values not told',
    'agent/answer/value-prompts.ts',
    `problems.map((problem) => \`- \${problem}\`).join('\\n')`,
    "problems.length === 0 ? '' : '(left out)'",
  ),
  fault(
    'basis of another source',
    'agent/answer/value-form.ts',
    'const cited = [...new Set(named)]',
    'const cited = [...new Set(named.map((number) => number + 1))]',
  ),
  fault(
    'basis at another place',
    'agent/answer/value-form.ts',
    'moved += length - (endIndex - startIndex);',
    'moved++;',
  ),
  fault(
    'fields without proof not taken out',
    'agent/answer/value-form.ts',
    'weak.length === 0',
    'weak.length >= 0',
  ),
  fault(
    'fields without proof not told',
    'agent/answer/value-form.ts',
    'const unsupported = weak.map(({ pointer }) => pointer);',
    'const unsupported = weak.slice(weak.length).map(({ pointer }) => pointer);',
  ),
  fault(
    'claims of fields without what they are beside',
    'outputs/claims.ts',
    'field.rows.slice(-mostRows)',
    'field.rows.slice(0, 0 * mostRows)',
  ),
  fault(
    'tools in another order in each completion',
    'agent/complete.ts',
    '.map(toolDefinition)',
    '.map(toolDefinition).toSorted(() => (state.rounds % 2 === 0 ? 1 : -1))',
  ),
];
