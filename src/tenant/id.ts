/** Checks ids against the service's limits before a request is sent, and encodes them for paths. */
import { TenantError } from "./error";

const limits = { "rate limit policy": 26, "network ACL": 36, "network ACL key": 36, organization: 50 } as const;

/** The id as a path segment. Throws invalid_id if no object can have this id. */
export function segment(kind: keyof typeof limits, id: string, noun = "id"): string {
  const why = objection(id, limits[kind]);
  if (why !== undefined) {
    const article = kind === "organization" ? "an" : "a";
    throw new TenantError("invalid_id", `${JSON.stringify(id)} cannot be the ${noun} of ${article} ${kind}: ${why}.`);
  }
  return encodeURIComponent(id);
}

function objection(id: string, longest: number): string | undefined {
  if (id === "") return "it is empty";
  if (id.length > longest) return `it has ${id.length} characters, but the service allows at most ${longest}`;
  // Servers resolve these two as parts of the path in every encoding.
  if (id === "." || id === "..") return "it would lead to another path";
  return /[\p{Cc}\p{Cs}]/u.test(id) ? "it contains a control character or half of a surrogate pair" : undefined;
}
