import { errorWords } from '../words/error-words.ts';

/** An error in words, with the id by which the operator finds the request. Read out as soon as it appears. */
export function ErrorNotice({ error, retry }: { error: unknown; retry?: () => void }) {
  const words = error === undefined ? undefined : errorWords(error);
  return (
    <div role="alert" class="alerts">
      {words && (
        <div class="notice bad">
          <p>
            <strong>{words.title}</strong> {words.detail && <span class="said">{words.detail}</span>}{' '}
            {words.retry}
          </p>
          {words.requestId && (
            <p class="fine">
              Request id <code>{words.requestId}</code>
            </p>
          )}
          {retry && (
            <button type="button" class="quiet" onClick={retry}>
              Try again
            </button>
          )}
        </div>
      )}
    </div>
  );
}
