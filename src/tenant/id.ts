/** Ids in paths: held to the service's limits before a request is spent on them, and encoded. */
import { TenantError } from "./error";

const limits = { policy: 26, "access control list": 36, "network ACL key": 36, organization: 50 } as const;

/** The id as a path segment; throws invalid_id where it cannot be one. */
export function segment(kind: keyof typeof limits, id: string): string {
  const why = objection(id, limits[kind]);
  if (why !== undefined) {
    throw new TenantError("invalid_id", `${JSON.stringify(id)} cannot be the id of a ${kind}: ${why}.`);
  }
  return encodeURIComponent(id);
}

function objection(id: string, longest: number): string | undefined {
  if (id === "") return "it is empty";
  if (id.length > longest) return `it has ${id.length} characters, the service allows ${longest}`;
  // In a path these two mean a place, whatever they are encoded as.
  if (id === "." || id === "..") return "it would lead to another path";
  return /[\p{Cc}\p{Cs}]/u.test(id) ? "it holds characters that no id has" : undefined;
}
