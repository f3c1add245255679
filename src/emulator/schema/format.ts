/** The text formats the service insists on. */
import { isIPv4, isIPv6 } from "node:net";
import { urlIn } from "../../text/url";

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

const isHostname = (text: string) => text.length <= 253 && text.split(".").every((part) => label.test(part));

function isBlock(text: string, isAddress: (address: string) => boolean, bits: number): boolean {
  const parts = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text);
  return parts !== null && isAddress(parts[1]!) && Number(parts[2]) <= bits;
}

// An address with a zone (fe80::1%eth0) means something on one machine only.
const isAddress6 = (text: string) => isIPv6(text) && !text.includes("%");

/** https, a host, and nothing that reads differently to different parsers: no user, no spaces, no control characters. */
function isStrictHttpsUri(text: string): boolean {
  if (!/^https:\/\/[^\s/?#@\\]+([/?#][^\s\\]*)?$/.test(text)) return false;
  return urlIn(text) !== undefined;
}

export const formats = {
  hostname: isHostname,
  ipv4: isIPv4,
  cidr: (text: string) => isBlock(text, isIPv4, 32),
  ipv6: isAddress6,
  ipv6_cidr: (text: string) => isBlock(text, isAddress6, 128),
  "strict-https-uri": isStrictHttpsUri,
  "user-id-with-max-length": (text: string) => /^[^\p{Cc}]{1,255}$/u.test(text),
};
export type Format = keyof typeof formats;
