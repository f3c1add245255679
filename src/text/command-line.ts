/** What the options of several commands share. */
import { InvalidArgumentError } from "commander";

export function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError("give a whole number, 0 or greater.");
}

/** For an option that is repeatable. */
export const gather = (value: string, previous: string[] = []) => [...previous, value];

/** The end of the help of an option that reads the tenant. */
export const needsTenant =
  "needs TENANT_DOMAIN, and TENANT_CLIENT_ID with TENANT_CLIENT_SECRET or TENANT_ACCESS_TOKEN, in the environment";

/** Where a command reads. */
export const edge = () => ({ stdin: process.stdin, environment: process.env });
