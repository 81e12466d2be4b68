import { exampleFile } from './prepare-document.js';
import { isOfThing, kindOf, modelKinds } from './things.js';

/** What was filled in last, by the place. A visitor's own words are in no such place, and stay. */
const filled = new Map();

/**
 * Fills in what the key has: parameters, and the models and names in bodies. Where there is nothing, it says what to execute
 * first.
 */
export const fillPlugin = (things) => () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        setResponse: (set) => (path, method, answer) => {
          try {
            if (answer.url && typeof answer.text === 'string') things.note(path, method, answer);
          } catch {
            // An answer that cannot be read is shown all the same.
          }
          return set(path, method, answer);
        },
      },
    },
  },
  wrapComponents: {
    parameterRow: (Row, system) => fillRow(things, Row, system),
    RequestBody: (Body, system) => fillBody(things, Body, system),
  },
});

/** Fills the place again whenever something else is offered, unless the visitor has written something. */
function useFilled(React, place, { offered, current, write }) {
  React.useEffect(() => {
    const isUntouched = current === undefined || current === filled.get(place);
    if (offered === undefined ? current !== undefined && isUntouched : isUntouched && current !== offered) {
      filled.set(place, offered);
      write(offered);
    }
  }, [place, offered, current, write]);
}

function fillRow(things, Row, { React }) {
  return function FilledRow(props) {
    const { rawParam, pathMethod, specSelectors, onChange } = props;
    const [path, method] = pathMethod;
    React.useSyncExternalStore(things.subscribe, things.version);
    const name = rawParam.get('name');
    const isFilled = isOfThing(path, { name, in: rawParam.get('in') });
    const offered = isFilled ? things.offer(path, method)?.[name] : undefined;
    const current = specSelectors.parameterWithMetaByIdentity(pathMethod, rawParam)?.get('value');
    useFilled(React, `${method} ${path} ${name}`, {
      offered,
      current: isFilled ? current : undefined,
      write: (value) => onChange(rawParam, value, false),
    });
    const row = React.createElement(Row, props);
    if (!isFilled || offered !== undefined || current) return row;
    const hint = React.createElement(FirstHint, { things, path, method, specSelectors, React });
    const cell = React.createElement('td', { colSpan: 2 }, hint);
    return React.createElement(React.Fragment, null, row, React.createElement('tr', null, cell));
  };
}

/** Says what makes the thing that is missing. */
function FirstHint({ things, path, method, specSelectors, React }) {
  const { from } = kindOf(path);
  const [first] = specSelectors
    .operations()
    .toJS()
    .filter(({ operation }) => operation.operationId === from);
  const name = `${first.method.toUpperCase()} ${first.path}`;
  const words = things.isEmpty()
    ? `Authorize, or execute ${name} first: this is filled in from its answer.`
    : method === 'get'
      ? `The key has none. Execute ${name} first: this is filled in from its answer.`
      : `Execute ${name} first: this is filled in from its answer. What was there before is not filled in, because this operation changes it.`;
  return React.createElement('p', { className: 'errand-hint' }, words);
}

function fillBody(things, Body, { React }) {
  return function FilledBody(props) {
    const { requestBody, requestBodyValue, contentType, specPath, isExecute, onChange } = props;
    const path = specPath.get(1);
    React.useSyncExternalStore(things.subscribe, things.version);
    const isForm = contentType === 'multipart/form-data';
    const at = ['content', contentType, 'example'];
    const example = requestBody?.getIn(at);
    const own = isForm || example === undefined ? example : ownExample(things, path, example);
    useFilled(React, `${path} ${contentType}`, {
      offered: isForm || own === undefined ? undefined : textOf(own),
      current: isForm ? undefined : requestBodyValue,
      write: onChange,
    });
    const lacksFile = isForm && isExecute && !requestBodyValue?.getIn?.(['file', 'value']);
    React.useEffect(() => {
      if (lacksFile) onChange(new File([example.get('file')], exampleFile), ['file']);
    }, [lacksFile, onChange, example]);
    const body = React.createElement(Body, {
      ...props,
      requestBody: own === example ? requestBody : requestBody.setIn(at, own),
    });
    const kind = modelKinds[path];
    if (!kind || things.isEmpty() || things.modelOf(kind)) return body;
    const words = `The key has no model of the kind \`${kind}\`, so that the model of this example is a name that nothing has.`;
    return React.createElement(
      React.Fragment,
      null,
      React.createElement('p', { className: 'errand-hint' }, words),
      body,
    );
  };
}

const textOf = (example) => (typeof example === 'string' ? example : JSON.stringify(example, null, 2));

const namedKinds = { '/v1/skills': 'skill', '/v1/agents': 'agent' };

/** The example with a model that the key may use, or with the name of a skill or an agent that is free. */
function ownExample(things, path, example) {
  const model = things.modelOf(modelKinds[path]);
  if (model !== undefined) return example.set('model', model);
  const kind = namedKinds[path];
  if (!kind) return example;
  if (typeof example === 'string')
    return example.replace(/^name: (.+)$/m, (_line, name) => `name: ${things.freeName(kind, name)}`);
  return example.set('name', things.freeName(kind, example.get('name')));
}
