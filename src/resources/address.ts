/** Network addresses, host names and URLs in the forms that the service accepts. */
import * as z from "zod";
import { isAddress, isBlockOf } from "../access/access";
import { urlIn } from "../text/url";
import { visible } from "./characters";

const ipv4 = "an IPv4 address or CIDR block, such as 203.0.113.7 or 203.0.113.0/24";
const ipv6 = "an IPv6 address or CIDR block, such as 2001:db8::1 or 2001:db8::/32";

export const ipv4Cidr = z.string().refine((text) => isBlockOf(4, text), `give ${ipv4}`);
export const ipv6Cidr = z.string().refine((text) => isBlockOf(6, text), `give ${ipv6}`);
export const ipAddress = z.string().refine(isAddress, "give an IPv4 or IPv6 address");

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

export const hostname = z
  .string()
  .refine(
    (text) => text.length <= 253 && text.split(".").every((part) => label.test(part)),
    "give a host name without scheme, port or path, such as login.example.com",
  );

const https = /^https:\/\/[^\s/?#@\\]+([/?#][^\s\\]*)?$/i;

export const httpsUri = visible().refine(
  (text) => https.test(text) && urlIn(text) !== undefined,
  "give a whole https URL, such as https://example.com/too-many-requests",
);
