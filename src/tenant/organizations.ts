/** Reads the organizations of the tenant. */
import { createCursor, decodePage, pageSize, pagesOf } from "./cursor";
import { getIfExists, type Client } from "./http/client";
import { decoderOf, hasFields } from "./http/call";
import { segment } from "./id";

export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly display_name?: string;
}

export interface Organizations {
  /** Reads each page when it is needed, without a cache. */
  pages(): AsyncIterable<readonly Organization[]>;
  /** undefined: it does not exist. */
  get(id: string): Promise<Organization | undefined>;
  /** undefined: no organization has this name. */
  named(name: string): Promise<Organization | undefined>;
}

const isOrganization = (body: unknown): body is Organization => hasFields(body, { id: "string", name: "string" });
const decoders = { 200: decodePage("organizations", isOrganization) };
const base = "/organizations";

export function createOrganizations(client: Client): Organizations {
  const fetchPage = async (from: string | undefined) =>
    (await client.send({ method: "GET", path: base, query: { take: pageSize, from }, decoders })).body;
  const read = (path: string) => getIfExists(client, `${base}/${path}`, decoderOf(isOrganization));
  return {
    pages: () => pagesOf(createCursor(fetchPage, ({ id }) => id)),
    get: async (id) => read(segment("organization", id)),
    named: async (name) => read(`name/${segment("organization", name, "name")}`),
  };
}
