// Query strings: coerced, checked, and refused in the service's words.

import { ServiceError } from "./answer";
import { fromForm } from "./form";
import { firstIssue, sentence, type Schema } from "./schema";

/** The query as the schema types it; names it does not know are refused, of repeated names the last counts. */
export function readQuery<T>(url: string, schema: Schema): T {
  const given = Object.fromEntries(new URL(url).searchParams);
  const query = fromForm(schema, given);
  const issue = firstIssue(schema, query);
  if (issue) throw new ServiceError(400, `Query validation error: ${sentence(issue)}`, "invalid_query_string");
  return query as T;
}
