/** A resource as the engine is asked to make it. */
export interface Resource {
  type: string;
  name: string;
  inputs: Record<string, unknown>;
  /** The name of the provider that it is asked of, if that is not the stack's own. */
  provider?: string;
  /** The name of the component that it is a part of. */
  within?: string;
  /** The names of the resources that it must be made after, and removed before. */
  after?: string[];
  /** A value that makes the resource anew if it is another than at the deploy before. */
  trigger?: unknown;
  /** Inputs that stay as they are once the resource is made, whatever the stack says. */
  ignored?: string[];
  /** The resource exists already: it is read under this id and not made. */
  readAs?: string;
}

interface ResourceArguments extends Resource {
  id?: string;
}

const account = '123456789012';
const region = 'eu-central-1';

/** The outputs that AWS would add to a resource, as far as the stack reads them. */
function outputsOf({ type, name, inputs }: Resource): Record<string, unknown> {
  const service = type.split(':')[1]?.split('/')[0];
  const called = inputs.name ?? inputs.bucket ?? name;
  const arn = inputs.arn ?? `arn:aws:${service}:${region}:${account}:${called}`;
  const lower = name.toLowerCase();
  const known: Record<string, Record<string, unknown>> = {
    'aws:dynamodb/table:Table': { arn: `arn:aws:dynamodb:${region}:${account}:table/${called}` },
    'aws:sqs/queue:Queue': { url: `https://sqs.${region}.amazonaws.com/${account}/${called}` },
    'aws:cloudwatch/logGroup:LogGroup': {
      arn: `arn:aws:logs:${region}:${account}:log-group:${called}`,
    },
    'aws:lambda/function:Function': {
      invokeArn: arn,
      version: inputs.publish ? '1' : '$LATEST',
      qualifiedArn: `${arn}:1`,
      lastModified: 'now',
    },
    'aws:lambda/alias:Alias': {
      arn: `arn:aws:lambda:${region}:${account}:function:${inputs.functionName}:${inputs.name}`,
    },
    'aws:lambda/functionUrl:FunctionUrl': {
      functionUrl: `https://${lower}.lambda-url.${region}.on.aws/`,
    },
    'aws:s3/bucket:Bucket': { bucket: called, arn: `arn:aws:s3:::${called}`, region },
    'aws:cloudfront/distribution:Distribution': { domainName: `${lower}.cloudfront.net`, hostedZoneId: 'Z2' },
    'aws:acm/certificate:Certificate': {
      domainValidationOptions: [
        {
          domainName: inputs.domainName,
          resourceRecordName: `_x.${inputs.domainName}`,
          resourceRecordType: 'CNAME',
          resourceRecordValue: '_y',
        },
      ],
    },
    'random:index/randomBytes:RandomBytes': { base64: Buffer.alloc(32).toString('base64'), hex: '00' },
    'random:index/randomId:RandomId': { hex: 'abcdefgh', dec: '1' },
    'random:index/randomPassword:RandomPassword': { result: `${name}-`.padEnd(48, 'x') },
  };
  return { ...inputs, arn, ...known[type] };
}

interface Statement {
  effect?: string;
  actions?: string[];
  resources?: string[];
  principals?: unknown;
  conditions?: unknown;
}

/** Pulumi's marker for a value that is not known yet. */
const unknown = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

const policyDocument = (statements: readonly Statement[] = []) => ({
  Version: '2012-10-17',
  Statement: statements.map(({ effect = 'Allow', actions, resources, principals, conditions }) => ({
    Effect: effect,
    Action: actions,
    Resource: resources,
    Principal: principals,
    Condition: conditions,
  })),
});

/** Pulumi's mocks, and the resources that they were asked to make. Of resources of the type `unmade`, only the inputs are known. */
export function createMadeUpCloud(unmade?: string) {
  const resources: Resource[] = [];
  const data: Record<string, (inputs: Record<string, unknown>) => object> = {
    'aws:index/getRegion:getRegion': () => ({ region, name: region, id: region }),
    'aws:index/getPartition:getPartition': () => ({ partition: 'aws', dnsSuffix: 'amazonaws.com' }),
    'aws:index/getCallerIdentity:getCallerIdentity': () => ({ accountId: account, arn: 'arn', userId: 'u' }),
    'aws:index/getAvailabilityZones:getAvailabilityZones': () => ({
      names: [`${region}a`, `${region}b`],
      zoneIds: ['a', 'b'],
    }),
    'aws:ec2/getManagedPrefixList:getManagedPrefixList': (inputs) => ({ id: `pl-of-${inputs.name}` }),
    'aws:iam/getPolicyDocument:getPolicyDocument': (inputs) => ({
      ...inputs,
      id: 'document',
      json: JSON.stringify(policyDocument(inputs.statements as Statement[])),
    }),
  };
  const mocks = {
    newResource({ type, name, inputs, id, provider }: ResourceArguments) {
      // A provider is named by its URN and its id: `urn:...::NAME::ID`.
      const asked = provider?.split('::').at(-2);
      resources.push({ type, name, inputs, provider: asked });
      // The id of a table is its name.
      const isFound = id && type === 'aws:dynamodb/table:Table';
      const state = outputsOf({ type, name, inputs: isFound ? { ...inputs, name: id } : inputs });
      if (type !== unmade) return { id: id || `${name}-id`, state };
      const unsaid = Object.keys(state).filter((key) => !(key in inputs));
      return { id: unknown, state: { ...state, ...Object.fromEntries(unsaid.map((key) => [key, unknown])) } };
    },
    call: ({ token, inputs }: { token: string; inputs: Record<string, unknown> }) =>
      data[token]?.(inputs) ?? inputs,
  };
  return { resources, mocks };
}
