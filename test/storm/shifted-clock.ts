import { ServerResponse } from 'node:http';

/** Preloaded by a process of the storm: shifts its clock by `STORM_CLOCK_MILLISECONDS`, as a machine's may be set. */
const shift = Number(process.env.STORM_CLOCK_MILLISECONDS ?? 0);

if (shift !== 0) {
  const RealDate = Date;
  const now = () => RealDate.now() + shift;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given: [], newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as Date,
    apply: () => new RealDate(now()).toString(),
    get: (target, name, receiver) =>
      name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown),
  });
  // Node's own code has the real clock, and AWS's clients trust a server's time more than theirs.
  const { writeHead } = ServerResponse.prototype;
  ServerResponse.prototype.writeHead = function (this: ServerResponse, ...given: unknown[]) {
    this.setHeader('Date', new Date().toUTCString());
    return writeHead.apply(this, given as Parameters<typeof writeHead>);
  } as typeof writeHead;
}
