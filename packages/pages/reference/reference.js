// A browser's program: scripts/build-reference.ts bundles it. The bundle of swagger-ui-dist has no types.
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { fillPlugin } from './fill-plugin.js';
import { prepareDocument } from './prepare-document.js';
import { resolvePlugin } from './resolve-plugin.js';
import { createThings } from './things.js';

// The key in the session storage lives as long as the tab, and no other tab or visitor can read it.
const keyName = 'errand.key';

const things = createThings();

const rememberKey = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (authorize) => (payload) => {
          const { value } = payload.key ?? {};
          if (typeof value === 'string' && value !== '') {
            sessionStorage.setItem(keyName, value);
            void things.read(value);
          }
          return authorize(payload);
        },
        logout: (logout) => (payload) => {
          sessionStorage.removeItem(keyName);
          things.forgetAll();
          return logout(payload);
        },
      },
    },
  },
});

const prepared = () => ({
  statePlugins: {
    spec: { wrapActions: { updateJsonSpec: (update) => (document) => update(prepareDocument(document)) } },
  },
});

/** What cancels and deletes stands last, and finds what the operations before it have made. */
const place = (operation) =>
  operation.get('method') === 'delete' ? 2 : operation.get('path').endsWith('/cancel') ? 1 : 0;

const ui = SwaggerUI({
  url: '/openapi.json',
  domNode: document.querySelector('#reference'),
  presets: [SwaggerUI.presets.apis],
  plugins: [rememberKey, prepared, resolvePlugin, fillPlugin(things)],
  operationsSorter: (one, other) => place(one) - place(other),
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // Swagger UI itself would keep the key in localStorage, which outlives the tab.
  persistAuthorization: false,
  // Otherwise a link to this page could make it show a stranger's document, and send keys to the servers in it.
  queryConfigEnabled: false,
  validatorUrl: null,
  requestInterceptor(request) {
    // The protocol has its clients name both.
    if (request.url.endsWith('/mcp')) request.headers.accept = 'application/json, text/event-stream';
    return request;
  },
  onComplete() {
    const key = sessionStorage.getItem(keyName);
    if (key) ui.preauthorizeApiKey('key', key);
  },
});

const dark = matchMedia('(prefers-color-scheme: dark)');
const applyColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyColours);
applyColours();
