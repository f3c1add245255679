// Ids in paths: held to the service's limits before a request is spent on them, and encoded.
import { TenantError } from "./error";

const limits = { policy: 26, "access control list": 36, organization: 50 } as const;

/** The id as a path segment; throws invalid_id where it is empty or longer than the service allows. */
export function segment(kind: keyof typeof limits, id: string): string {
  if (id === "") throw new TenantError("invalid_id", `The id of the ${kind} is empty.`);
  if (id.length > limits[kind]) {
    throw new TenantError(
      "invalid_id",
      `"${id}" cannot be the id of a ${kind}: it has ${id.length} characters, the service allows ${limits[kind]}.`,
    );
  }
  return encodeURIComponent(id);
}
