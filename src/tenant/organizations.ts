/** The organizations of the tenant, as far as their members need them: listed by cursor. */
import { createCursor, isCursor, pageOf, pagesOf, type Page } from "./cursor";
import { unlessGone } from "./error";
import type { Decoder } from "./http/call";
import type { Client } from "./http/client";
import { hasFields, isRecord } from "./http/json";
import { segment } from "./id";
import { pageSize } from "./page-cache";

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly display_name?: string;
}

export interface Organizations {
  /** Page by page as they are asked for; read anew each time. */
  pages(): AsyncIterable<readonly Organization[]>;
  /** undefined: there is none. */
  get(id: string): Promise<Organization | undefined>;
}

const isOrganization = (body: unknown): body is Organization => hasFields(body, { id: "string", name: "string" });

const decodeOrganization: Decoder<Organization> = (body) => (isOrganization(body) ? body : undefined);

const decodePage: Decoder<Page<Organization>> = (body) => {
  if (!isRecord(body)) return undefined;
  const { organizations: items, next } = body;
  return Array.isArray(items) && items.every(isOrganization) && isCursor(next)
    ? { items, next: next || undefined }
    : undefined;
};

const base = "/organizations";

export function createOrganizations(client: Client): Organizations {
  const fetchPage = async (from: string | undefined) => {
    const call = { method: "GET", path: base, query: { take: pageSize, from }, decoders: { 200: decodePage } } as const;
    return pageOf(await client.send(call));
  };
  return {
    pages: () => pagesOf(createCursor(fetchPage, ({ id }) => id)),
    get(id) {
      const path = `${base}/${segment("organization", id)}`;
      return unlessGone(
        async () => (await client.send({ method: "GET", path, decoders: { 200: decodeOrganization } })).body,
      );
    },
  };
}
