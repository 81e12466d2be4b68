import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './address.ts';
import { FetchError } from './failure.ts';

/**
 * A lookup for `node:net` that checks the addresses it returns. The socket connects to these, so a name cannot change
 * its address between the check and the connection. A name with one address that is not public is refused.
 */
export function guardLookup(lookup: LookupFunction = systemLookup, isAllowedByName = false): LookupFunction {
  return (hostname, options, callback) => {
    const fail = (error: FetchError) => callback(error, []);
    lookup(hostname, { ...options, all: true }, (error, found, family) => {
      if (error) return fail(new FetchError('not_found_host', { cause: error }));
      const addresses = listAddresses(found, family);
      const [first] = addresses;
      if (!first) return fail(new FetchError('not_found_host'));
      if (!isAllowedByName && !addresses.every(({ address }) => isPublicAddress(address))) {
        return fail(new FetchError('forbidden_address'));
      }
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function listAddresses(found: string | LookupAddress[], family: number | undefined): LookupAddress[] {
  if (typeof found !== 'string') return found;
  return found === '' ? [] : [{ address: found, family: family || isIP(found) }];
}
