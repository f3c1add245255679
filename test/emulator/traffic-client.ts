/** Sends made-up traffic to an embedded tenant without a port. */
import type { Emulator } from "../../src/emulator/emulator";
import type { MadeRequest } from "../../src/emulator/traffic/week";
import { root } from "./client";

const pairs = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}="${String(value)}"`)
    .join("; ");

/** The headers that state the origin of a request and its event. */
export const headersOf = ({ origin, type, participants }: MadeRequest): Record<string, string> => ({
  "x-tenantform-origin": pairs({ ...origin }),
  "x-tenantform-event": pairs({ type, ...participants }),
});

/** The status of the response: 204 if the tenant let the request through. */
export async function visit(tenant: Pick<Emulator, "fetch">, made: MadeRequest): Promise<number> {
  const { method, path } = made;
  const response = await tenant.fetch(new Request(root + path, { method, headers: headersOf(made) }));
  return response.status;
}
