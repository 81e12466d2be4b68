import { createSocket, type RemoteInfo } from 'node:dgram';
import { type LookupAddress, Resolver } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { type Answer, decode, encode, type Question } from 'dns-packet';

/** By name, the addresses of each answer in turn; the last answer repeats. Names without an entry do not exist. */
type Zone = Record<string, readonly (readonly string[])[]>;

interface DnsServer extends AsyncDisposable {
  /** How often each name was asked for. The keys are `A name` and `AAAA name`. */
  asked: Map<string, number>;
  lookup: LookupFunction;
}

/** A name server over UDP, and a lookup that asks only this server. A name in `silent` is never answered. */
export async function startDnsServer(
  zone: Zone,
  silent: ReadonlySet<string> = new Set(),
): Promise<DnsServer> {
  const asked = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (message: Buffer, from: RemoteInfo) => {
    const { id, questions = [] } = decode(message);
    const question = questions[0]!;
    if (silent.has(question.name)) return;
    const key = `${question.type} ${question.name}`;
    const turn = asked.get(key) ?? 0;
    asked.set(key, turn + 1);
    const exists = question.name in zone;
    const answers = exists
      ? recordsOf(question, zone[question.name]!.at(Math.min(turn, zone[question.name]!.length - 1))!)
      : [];
    const flags = exists ? 0 : 3;
    socket.send(
      encode({ type: 'response', id: id ?? 0, flags, questions, answers }),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const resolver = new Resolver({ timeout: 60_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    asked,
    lookup: lookupThrough(resolver),
    async [Symbol.asyncDispose]() {
      resolver.cancel();
      await new Promise<void>((resolve) => socket.close(() => resolve()));
    },
  };
}

function recordsOf(question: Question, addresses: readonly string[]): Answer[] {
  const isWanted = (address: string) => address.includes(':') === (question.type === 'AAAA');
  return addresses.filter(isWanted).map((data) => {
    const record = { name: question.name, ttl: 0, data };
    return question.type === 'AAAA' ? { ...record, type: 'AAAA' } : { ...record, type: 'A' };
  });
}

function lookupThrough(resolver: Resolver): LookupFunction {
  return (hostname, _options, callback) => {
    resolver.resolve4(hostname, (firstError, ipv4) => {
      resolver.resolve6(hostname, (secondError, ipv6) => {
        if (firstError && secondError) return callback(firstError, []);
        callback(null, [...listed(ipv4, 4), ...listed(ipv6, 6)]);
      });
    });
  };
}

function listed(addresses: readonly string[] | undefined, family: 4 | 6): LookupAddress[] {
  return (addresses ?? []).map((address) => ({ address, family }));
}
