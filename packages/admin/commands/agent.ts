import {
  type AgentsDeps,
  checkServers,
  createAgent,
  deleteAgent,
  describeAgent,
  listOwnedAgents,
  readAgentText,
  type StoredAgent,
  updateAgent,
  validateAgentPatch,
  validateNewAgent,
  wholeDefinition,
} from '@errand/agents';
import { silentLog } from '@errand/platform';
import { defineCommand, type Outcome, type Store } from '../command.ts';
import { Refusal, UsageError } from '../refusal.ts';
import { readFlag } from '../values.ts';
import { namedLine } from './named-line.ts';
import { orRefuseNamed } from './named-refusal.ts';
import { checkOwner, findOwner, ownerOptions } from './owner-options.ts';
import { readTextFile } from './read-text-file.ts';

const create = defineCommand({
  name: 'agent create',
  options: [...ownerOptions, '--name <N>', '--definition-file <F>', '[--description <D>]'],
  check: checkOwner,
  async run(store, values) {
    const { name, description, definitionFile } = values;
    const definition = await readDefinitionFile(definitionFile);
    const work = async () => {
      const owner = await findOwner(store, values);
      const input = validateNewAgent({ ...definition, name, description });
      checkServers(webOf(store), input.mcp);
      return createAgent(agentsOf(store), owner, input);
    };
    return outcomeOf(store, await orRefuseNamed('agent', work, name));
  },
});

const list = defineCommand({
  name: 'agent list',
  options: ownerOptions,
  check: checkOwner,
  async run(store, values) {
    const agents = await listOwnedAgents(agentsOf(store), await findOwner(store, values));
    return { json: { agents }, lines: agents.map(namedLine) };
  },
});

const update = defineCommand({
  name: 'agent update',
  argument: 'ID',
  options: ['[--enabled <true|false>]', '[--definition-file <F>]', '[--name <N>]', '[--description <D>]'],
  check(values) {
    if (Object.keys(values).length === 0) throw new UsageError('there is nothing to update');
  },
  async run(store, values, id) {
    const { enabled, name, description, definitionFile: file } = values;
    const input = {
      ...(file !== undefined && wholeDefinition(await readDefinitionFile(file))),
      ...(enabled !== undefined && { enabled: readFlag('enabled', enabled) }),
      name,
      description,
    };
    const work = async () => {
      const patch = validateAgentPatch(input);
      checkServers(webOf(store), patch.mcp);
      return updateAgent(agentsOf(store), 'operator', id, patch);
    };
    return outcomeOf(store, await orRefuseNamed('agent', work, id));
  },
});

const remove = defineCommand({
  name: 'agent delete',
  argument: 'ID',
  async run(store, _values, id) {
    await orRefuseNamed('agent', () => deleteAgent(agentsOf(store), 'operator', id), id);
    return { json: { id }, lines: [`Agent ${id} is deleted`] };
  },
});

const agentsOf = ({ dynamodb, tables, clock, config }: Store): AgentsDeps => ({
  dynamodb,
  tables,
  clock,
  log: silentLog,
  providerScope: config.providerScope,
});

const webOf = ({ config }: Store) => ({ allowedHosts: config.fetchAllowedHosts });

/** The definition in a file, not yet validated. */
async function readDefinitionFile(file: string): Promise<object> {
  const text = await readTextFile(file);
  try {
    const definition = readAgentText(text);
    if (definition instanceof Object && !Array.isArray(definition)) return definition;
  } catch {
    // Told below.
  }
  throw new Refusal(`${file} is not a JSON object.`);
}

function outcomeOf(store: Store, stored: StoredAgent): Outcome {
  const agent = describeAgent(stored, store.config.providerScope);
  return { json: agent, lines: [namedLine(agent)] };
}

export const agentCommands = [create, list, update, remove];
