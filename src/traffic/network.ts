/** Shortens addresses to networks, because a full address identifies a person. */
import { formatBlock, parseBlock, unmapped } from "../access/access";
import { ipv4In } from "./ipv4";
import { ipv6In } from "./ipv6";

/** The /24 of an IPv4 address, the /48 of an IPv6 address. undefined: not an address. */
export function networkOf(address: string): string | undefined {
  if (ipv4In(address) !== undefined) return `${address.slice(0, address.lastIndexOf("."))}.0/24`;
  const groups = ipv6In(address);
  if (groups !== undefined) return siteOf(groups);
  const parsed = parseBlock(address);
  if (!parsed) return undefined;
  const { family } = unmapped(parsed);
  return formatBlock(parseBlock(`${formatBlock(unmapped(parsed))}/${family === 4 ? 24 : 48}`)!);
}

/** The /48. Five groups of zeros always are the longest gap, so the zeros before them join it. */
function siteOf(groups: string): string {
  const [first, second, third] = [0, 1, 2].map((index) => groups.charCodeAt(index));
  const shown = third !== 0 ? [first, second, third] : second !== 0 ? [first, second] : [first];
  return `${shown.map((group) => group!.toString(16)).join(":")}::/48`;
}
