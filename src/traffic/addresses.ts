/** Reads addresses quickly: the parser for all forms is too slow for millions of events. */

/** As a number. undefined: not an IPv4 address. */
export function ipv4In(text: string): number | undefined {
  let number = 0;
  let byte = -1;
  let dots = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 46) {
      if (byte < 0 || ++dots > 3) return undefined;
      number = number * 256 + byte;
      byte = -1;
    } else {
      if (code < 48 || code > 57 || byte === 0) return undefined;
      byte = (byte < 0 ? 0 : byte) * 10 + code - 48;
      if (byte > 255) return undefined;
    }
  }
  return dots === 3 && byte >= 0 ? number * 256 + byte : undefined;
}

const colon = 58;

function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 97 && code <= 102) return code - 87;
  return code >= 65 && code <= 70 ? code - 55 : -1;
}

/** A text in the order of the addresses: a character for each of the eight groups. undefined: not an IPv6 address, or one that begins with zeros, such as a mapped one. */
export function ipv6In(text: string): string | undefined {
  const groups: number[] = [];
  let gap = -1;
  let group = 0;
  let digits = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code !== colon) {
      const digit = digitOf(code);
      if (digit < 0 || ++digits > 4) return undefined;
      group = group * 16 + digit;
    } else if (digits > 0) {
      groups.push(group);
      group = digits = 0;
    } else if (gap < 0) gap = groups.length;
    else return undefined;
  }
  if (digits > 0) groups.push(group);
  else if (gap !== groups.length) return undefined;
  if (gap < 0 ? groups.length !== 8 : groups.length > 7) return undefined;
  if (gap >= 0) groups.splice(gap, 0, ...zeros.slice(groups.length));
  return groups[0] === 0 ? undefined : String.fromCharCode(...groups);
}

const zeros: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0];

/** The same text for the number of an address. */
export function orderedIpv6(address: bigint): string {
  return String.fromCharCode(...zeros.map((_, index) => Number((address >> BigInt(112 - 16 * index)) & 0xffffn)));
}
