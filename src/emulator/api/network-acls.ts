/** Network ACLs: /network-acls and /network-acls/{id}. */
import type { Call, Operation, PathId } from "../http/operation";
import { inStorageOrder, ServiceError } from "../http/response";
import { boolean, exactly, listOf, millisTime, number, optional, seedOf, text, type Schema } from "../schema";
import { networkAclId } from "../state/identity";
import type { Kind } from "../state/store";
import { withMillis } from "../state/time";
import { collection, offsetPage, offsetShape, type OffsetQuery } from "./collection";
import { checkRule, ruleSchema, type Rule } from "./network-acl-rule";

export interface NetworkAcl {
  readonly id: string;
  readonly description: string;
  readonly active: boolean;
  readonly priority: number;
  /** As it was sent, except for the order of its keys. */
  readonly rule: Rule;
  readonly created_at: string;
  readonly updated_at: string;
}

type Content = Pick<NetworkAcl, "description" | "active" | "rule"> & { readonly priority?: number };

const defaultPriority = 50;

const properties: Record<string, Schema> = {
  description: { type: "string", maxLength: 255 },
  active: boolean,
  priority: { type: "number", minimum: 1, maximum: 100 },
  rule: ruleSchema,
};
const contentSchema = exactly({ ...properties, priority: { ...properties.priority, default: defaultPriority } }, [
  "priority",
]);
const patchSchema = optional(properties);
const querySchema = optional({
  page: { type: "integer", minimum: 0 },
  per_page: { type: "integer", minimum: 0, maximum: 100 },
  include_totals: boolean,
});

const shape: Record<string, Schema> = {
  id: {
    type: "string",
    pattern: "^(acl_[1-9A-HJ-NP-Za-km-z]{22}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$",
  },
  description: text,
  active: boolean,
  priority: { ...number, minimum: 1, maximum: 100 },
  rule: ruleSchema,
  created_at: millisTime,
  updated_at: millisTime,
};
const aclShape = exactly(shape);
const aclInFullShape = exactly({ ...shape, tenant_id: text, deleted_at: { type: "null" } });
/** As recorded, although the service describes a response without a body. */
const deletedShape = exactly({ code: { type: "integer", enum: [204] }, object: { type: "string", enum: [""] } });

export const networkAclKind: Kind<"network_acls", NetworkAcl> = {
  name: "network_acls",
  idOf: ({ id }) => id,
  seed: seedOf(contentSchema, ["rule"]),
  complete(given, { clock, random }) {
    const { rule } = given;
    if (rule === undefined) throw new Error("a network ACL needs a rule");
    checkRule(rule);
    const instant = given.created_at ?? withMillis(clock());
    const usual = { id: networkAclId(random), description: "", active: true, priority: defaultPriority };
    return { ...usual, created_at: instant, updated_at: instant, ...given, rule };
  },
};

/** Assumption: the form of the `tenant_id` of an ACL. */
const tenant_id = "embedded-tenant";

const show = ({ id, description, active, priority, rule, created_at, updated_at }: NetworkAcl) => ({
  description,
  active,
  priority,
  rule,
  created_at,
  updated_at,
  id,
});

/** acl_ and 22 base58 characters; older ids are UUIDs. */
const idForm = /^(acl_[1-9A-HJ-NP-Za-km-z]{22}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
const id: PathId = {
  maxLength: 36,
  check(given) {
    if (idForm.test(given)) return;
    const problem = "Network ACL id is not a valid ACL ID in the form 'acl_XXXXXXXXXXXXXXXXXXXXXX'";
    throw new ServiceError(400, problem, "invalid_uri");
  },
};

function changed({ tenant: { store, flags } }: Call, acl: NetworkAcl, content: Partial<Content>): NetworkAcl {
  if (content.rule) checkRule(content.rule, flags);
  const rule = inStorageOrder(content.rule ?? acl.rule);
  return { ...acl, ...content, rule, updated_at: withMillis(store.clock()) };
}

const { find, list, create, read, update, remove } = collection({
  kind: networkAclKind,
  path: "/network-acls",
  noun: "network ACL",
  id,
  notFound: ["NetworkACL with this ID was not found"],
  shape: aclShape,
  show,
  nameOf: ({ description }) => description,
  unique: {
    key: ({ priority }) => priority,
    // Assumption: PUT and PATCH of an ACL refuse a priority in use, as POST does.
    taken: () => new ServiceError(409, "A Network ACL with this priority number has already been created."),
  },
});

export const networkAcls: readonly Operation[] = [
  list<OffsetQuery>({
    query: querySchema,
    response: { oneOf: [offsetShape("network_acls", aclShape), listOf(aclShape)] },
    refusals: [404],
    handle: ({ tenant, query }) =>
      offsetPage("network_acls", tenant.store.of(networkAclKind).values(), query, (page) => page.map(show)),
  }),
  create<Content>(contentSchema, ({ tenant: { store, flags }, body }) => {
    checkRule(body.rule, flags);
    return networkAclKind.complete({ ...body, rule: inStorageOrder(body.rule) }, store);
  }),
  read({ response: aclInFullShape, handle: (call) => ({ ...show(find(call)), tenant_id, deleted_at: null }) }),
  update<Content>({ method: "PUT", body: contentSchema, refusals: [404, 409] }, (call, acl) =>
    changed(call, acl, { ...call.body, priority: call.body.priority ?? defaultPriority }),
  ),
  update<Partial<Content>>({ method: "PATCH", body: patchSchema, refusals: [404, 409] }, (call, acl) =>
    changed(call, acl, call.body),
  ),
  // As recorded: the status is 200, and the body holds the code 204.
  remove({ success: 200, response: deletedShape, handle: () => ({ code: 204, object: "" }) }),
];
