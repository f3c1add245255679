/** The network ACLs: /network-acls and /network-acls/{id}. */
import { ServiceError, stored } from "../http/response";
import { api, operation, type Call, type Family, type PathId } from "../http/operation";
import type { Schema } from "../schema/schema";
import { exactly, listOf, millisTime, number, text } from "../schema/shape";
import { networkAclId } from "../state/identity";
import type { Kind } from "../state/kind";
import type { Store } from "../state/store";
import { withMillis } from "../state/time";
import { actionSchema, checkRule, matchSchema, ruleSchema, type Rule } from "./network-acl-rule";

export interface NetworkAcl {
  readonly id: string;
  readonly description: string;
  readonly active: boolean;
  readonly priority: number;
  /** Verbatim as it was sent, but for the order of its keys. */
  readonly rule: Rule;
  readonly created_at: string;
  readonly updated_at: string;
}

type Content = Pick<NetworkAcl, "description" | "active" | "rule"> & { readonly priority?: number };

const defaultPriority = 50;
/** A choice: the size of a page nobody asked a size for. */
const defaultPage = 50;

const properties: Record<string, Schema> = {
  description: { type: "string", maxLength: 255 },
  active: { type: "boolean" },
  priority: { type: "number", minimum: 1, maximum: 100, description: "Lower numbers are evaluated first." },
  rule: ruleSchema,
};
const contentSchema: Schema = {
  type: "object",
  additionalProperties: false,
  required: ["description", "active", "rule"],
  properties: { ...properties, priority: { ...properties.priority, default: defaultPriority } },
};
const patchSchema: Schema = { type: "object", additionalProperties: false, properties };
const querySchema: Schema = {
  type: "object",
  additionalProperties: false,
  properties: {
    page: { type: "integer", minimum: 0 },
    per_page: { type: "integer", minimum: 0, maximum: 100 },
    include_totals: { type: "boolean" },
  },
};
interface Query {
  readonly page?: number;
  readonly per_page?: number;
  readonly include_totals?: boolean;
}

const shape: Record<string, Schema> = {
  id: {
    type: "string",
    pattern: "^(acl_[1-9A-HJ-NP-Za-km-z]{22}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$",
  },
  description: text,
  active: { type: "boolean" },
  priority: { type: "number", minimum: 1, maximum: 100 },
  rule: ruleSchema,
  created_at: millisTime,
  updated_at: millisTime,
};
const aclShape = exactly(shape);
const aclInFullShape = exactly({ ...shape, tenant_id: text, deleted_at: { type: "null" } });
const listShape: Schema = {
  oneOf: [exactly({ network_acls: listOf(aclShape), start: number, limit: number, total: number }), listOf(aclShape)],
};
/** Recorded so, although the service describes an answer without a body. */
const deletedShape = exactly({ code: { type: "integer", enum: [204] }, object: { type: "string", enum: [""] } });

export const networkAclKind: Kind<"network_acls", NetworkAcl> = {
  name: "network_acls",
  idOf: ({ id }) => id,
  seed: {
    ...contentSchema,
    required: ["rule"],
    properties: { ...contentSchema.properties, id: text, created_at: text, updated_at: text },
  },
  complete(given, { clock, random }) {
    const { rule } = given;
    if (rule === undefined) throw new Error("A network ACL needs a rule");
    checkRule(rule);
    const moment = given.created_at ?? withMillis(clock());
    const usual = { id: networkAclId(random), description: "", active: true, priority: defaultPriority };
    return { ...usual, created_at: moment, updated_at: moment, ...given, rule };
  },
};

/** A choice: that an ACL has a tenant_id is known, not what it looks like. */
const tenant_id = "embedded-tenant";

const shown = ({ id, description, active, priority, rule, created_at, updated_at }: NetworkAcl) => ({
  description,
  active,
  priority,
  rule,
  created_at,
  updated_at,
  id,
});

/** acl_ and 22 base58 characters; older ones are UUIDs. */
const idForm = /^(acl_[1-9A-HJ-NP-Za-km-z]{22}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
const id: PathId = {
  maxLength: 36,
  check(given) {
    if (idForm.test(given)) return;
    const problem = "Network ACL id is not a valid ACL ID in the form 'acl_XXXXXXXXXXXXXXXXXXXXXX'";
    throw new ServiceError(400, problem, "invalid_uri");
  },
};

function find({ tenant, id: wanted }: Call): NetworkAcl {
  const acl = tenant.store.of(networkAclKind).get(wanted);
  if (!acl) throw new ServiceError(404, "NetworkACL with this ID was not found");
  return acl;
}

// A choice: it is known that POST refuses a priority that is taken; PUT and PATCH are taken to do the same.
function checkPriority(store: Store, priority: number, self?: string): void {
  const others = store.of(networkAclKind).values();
  if (others.some((acl) => acl.priority === priority && acl.id !== self)) {
    throw new ServiceError(409, "A Network ACL with this priority number has already been created.");
  }
}

function change(call: Call, content: Partial<Content>) {
  const acl = find(call);
  const { store, flags } = call.tenant;
  if (content.rule) checkRule(content.rule, flags);
  const changed = { ...acl, ...content, updated_at: withMillis(store.clock()) };
  checkPriority(store, changed.priority, acl.id);
  store.of(networkAclKind).put({ ...changed, rule: stored(changed.rule) });
  call.changed(`updated network ACL ${acl.id} (${changed.description})`);
  return shown(find(call));
}

const all = { path: api("/network-acls") };
const one = { path: api("/network-acls/{id}"), id, success: 200, answer: aclShape };

export const networkAcls: Family = {
  schemas: {
    NetworkAcl: aclShape,
    NetworkAclInFull: aclInFullShape,
    NetworkAclContent: contentSchema,
    NetworkAclPatch: patchSchema,
    NetworkAclRule: ruleSchema,
    NetworkAclAction: actionSchema,
    NetworkAclMatch: matchSchema,
  },
  operations: [
    operation<unknown, Query>({
      ...all,
      method: "GET",
      summary: "List the network ACLs",
      scope: "read:network_acls",
      query: querySchema,
      success: 200,
      answer: listShape,
      refusals: [404],
      handle({ tenant, query }) {
        const acls = tenant.store.of(networkAclKind).values();
        const limit = query.per_page ?? defaultPage;
        const start = (query.page ?? 0) * limit;
        const page = acls.slice(start, start + limit).map(shown);
        return query.include_totals ? { total: acls.length, start, limit, network_acls: page } : page;
      },
    }),
    operation<Content>({
      ...all,
      method: "POST",
      summary: "Create a network ACL",
      scope: "create:network_acls",
      body: contentSchema,
      success: 201,
      answer: aclShape,
      refusals: [409],
      handle({ tenant: { store, flags }, body, changed }) {
        checkRule(body.rule, flags);
        checkPriority(store, body.priority ?? defaultPriority);
        const acl = store.of(networkAclKind).put(networkAclKind.complete({ ...body, rule: stored(body.rule) }, store));
        changed(`created network ACL ${acl.id} (${acl.description})`);
        return shown(acl);
      },
    }),
    operation({
      ...one,
      method: "GET",
      summary: "Read a network ACL",
      scope: "read:network_acls",
      answer: aclInFullShape,
      refusals: [404],
      handle: (call) => ({ ...shown(find(call)), tenant_id, deleted_at: null }),
    }),
    operation<Content>({
      ...one,
      method: "PUT",
      summary: "Replace a network ACL",
      scope: "update:network_acls",
      body: contentSchema,
      refusals: [404, 409],
      handle: (call) => change(call, { ...call.body, priority: call.body.priority ?? defaultPriority }),
    }),
    operation<Partial<Content>>({
      ...one,
      method: "PATCH",
      summary: "Change some of a network ACL",
      scope: "update:network_acls",
      body: patchSchema,
      refusals: [404, 409],
      handle: (call) => change(call, call.body),
    }),
    operation({
      ...one,
      method: "DELETE",
      summary: "Delete a network ACL",
      scope: "delete:network_acls",
      answer: deletedShape,
      refusals: [404],
      handle(call) {
        const acl = find(call);
        call.tenant.store.of(networkAclKind).drop(acl.id);
        call.changed(`deleted network ACL ${acl.id} (${acl.description})`);
        // Recorded so: the code of the answer stands in its body, the status is 200.
        return { code: 204, object: "" };
      },
    }),
  ],
};
