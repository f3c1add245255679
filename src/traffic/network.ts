/** Shortens addresses to networks, because a full address identifies a person. */
import { formatBlock, parseBlock, unmapped } from "../access/access";
import { ipv4In } from "./ipv4";

/** The /24 of an IPv4 address, the /48 of an IPv6 address. undefined: not an address. */
export function networkOf(address: string): string | undefined {
  if (ipv4In(address) !== undefined) return `${address.slice(0, address.lastIndexOf("."))}.0/24`;
  const parsed = parseBlock(address);
  if (!parsed) return undefined;
  const { family } = unmapped(parsed);
  return formatBlock(parseBlock(`${formatBlock(unmapped(parsed))}/${family === 4 ? 24 : 48}`)!);
}
