/** Finds the application that a request names, before any operation has verified it. */
import { readBody } from "../http/body";
import { isObject } from "../schema/schema";

/** The claims of an assertion, unverified. */
function subjectOf(assertion: unknown): string | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(String(assertion).split(".")[1]!, "base64url").toString());
    return isObject(claims) && typeof claims.sub === "string" ? claims.sub : undefined;
  } catch {
    return undefined;
  }
}

/** The client id in a Basic authorization header. */
function basicClient(header: string | null): string | undefined {
  const encoded = /^basic +(\S+)$/i.exec(header ?? "")?.[1];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(Buffer.from(encoded, "base64").toString().split(":")[0]!);
  } catch {
    return undefined;
  }
}

export interface NamedClient {
  readonly client?: string;
  readonly grantType?: unknown;
}

/** Leaves the body of the request unread. */
export async function namedClient(request: Request): Promise<NamedClient> {
  const inQuery = new URL(request.url).searchParams.get("client_id") ?? undefined;
  if (request.method !== "POST") return { client: inQuery };
  // The operation itself reports an invalid body.
  const { value } = await readBody(request.clone(), {}).catch(() => ({ value: undefined }));
  const form = isObject(value) ? value : {};
  const inForm = typeof form.client_id === "string" && form.client_id !== "" ? form.client_id : undefined;
  const client =
    basicClient(request.headers.get("authorization")) ?? inForm ?? subjectOf(form.client_assertion) ?? inQuery;
  return { client, grantType: form.grant_type };
}
