/** The parts of a V8 profile that are read here: a tree of functions, and which of them each sample was in. */
export interface Profile {
  nodes: ProfileNode[];
  samples: number[];
}

export interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string };
  children?: number[];
}

/** Samples a process that was started with `--inspect=PORT`. */
export interface Profiler {
  start(): Promise<void>;
  stop(): Promise<Profile>;
  /** The text that an expression has in the process. Throws if the expression does. */
  evaluate(expression: string): Promise<string>;
  close(): void;
}

interface Evaluated {
  result: { value?: unknown };
  exceptionDetails?: { text: string; exception?: { description?: string } };
}

export async function connectProfiler(port: number): Promise<Profiler> {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as [
    { webSocketDebuggerUrl: string },
  ];
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  let asked = 0;
  const ask = <Result>(method: string, params: object = {}): Promise<Result> =>
    new Promise((resolve, reject) => {
      const id = ++asked;
      const read = ({ data }: MessageEvent) => {
        const answer = JSON.parse(data as string) as {
          id?: number;
          result?: Result;
          error?: { message: string };
        };
        if (answer.id !== id) return;
        socket.removeEventListener('message', read);
        if (answer.error) reject(new Error(`${method}: ${answer.error.message}`));
        else resolve(answer.result!);
      };
      socket.addEventListener('message', read);
      socket.send(JSON.stringify({ id, method, params }));
    });
  await ask('Profiler.enable');
  await ask('Profiler.setSamplingInterval', { interval: 200 });
  return {
    start: () => ask('Profiler.start'),
    stop: async () => (await ask<{ profile: Profile }>('Profiler.stop')).profile,
    async evaluate(expression) {
      const { result, exceptionDetails } = await ask<Evaluated>('Runtime.evaluate', { expression });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return String(result.value);
    },
    close: () => socket.close(),
  };
}
