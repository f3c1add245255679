/** Creates, reads, deletes and imports keys. A change of a key creates a new key. */
import { mostKeys, networkAclKey as kind } from "../../../judge/kinds/network-acl-key";
import { DiagnosticError } from "../../sdk/diagnostic";
import { type Context, type DataSource, Incomplete, type Resource, type Stored } from "../../sdk/resource";
import { isTenantError } from "../../../tenant/error";
import type { Client } from "../client";
import { createOrAdopt } from "../claim";
import { aclsNaming } from "../../../judge/impact/network-acl/keys";
import { listingOf, noSuch } from "../listing";
import { ifReadable } from "../scopes";
import { computedOf, fingerprintOf, fromWire, keyFacts, networkAclKey, networkAclKeyRead, toWire } from "./definition";
import { reviewNetworkAclKey } from "./review";
import * as z from "zod";
import { attribute } from "../../sdk/attribute";
import { withoutAbsent } from "../../../judge/impact/model";

const { dataSource, list, importById } = listingOf({
  kind,
  definition: networkAclKey,
  object: z.object({
    id: networkAclKey.computed.shape.id,
    name: attribute(z.string(), "Name of the key."),
    ...keyFacts,
  }),
  all: (tenant) => tenant.networkAclKeys.list(),
  fromWire: (key) => fromWire(key, {}),
  ids: { pattern: /^key_[1-9A-HJ-NP-Za-km-z]+$/, form: "key_ followed by letters and digits", example: "edge-2026" },
});
export { dataSource, list };

export const resource: Resource<Client, typeof networkAclKey> = {
  definition: networkAclKey,
  title: ({ id, name }) => `network ACL key ${id}${name === undefined ? "" : ` (${JSON.stringify(name)})`}`,

  async create(planned, context) {
    const body = toWire(planned);
    const fingerprint = fingerprintOf(body.value);
    const { networkAclKeys } = context.client.tenant;
    const made = await createOrAdopt(
      kind,
      () => networkAclKeys.create(body, fingerprint, context.otherCalls),
      context,
    ).catch((error) => {
      throw isTenantError(error, "forbidden") && error.serviceCode === "too_many_entities" ? tooMany(error) : error;
    });
    if (made.fingerprint === fingerprint) return computedOf(made);
    const cause = new DiagnosticError(
      "TNF-FINGERPRINT",
      `The tenant returned ${made.fingerprint} for network ACL key ${made.id}, but SHA-256 of the secret is ${fingerprint}. ` +
        "The service may compute it differently now: use a newer version of the provider.",
    );
    throw new Incomplete(computedOf(made), { cause });
  },

  async read(state, { client }) {
    const found = await client.tenant.networkAclKeys.get(state.id!);
    return found && fromWire(found, state);
  },

  /** Changes only the state, such as the place of the material. The service cannot change a key. */
  update: async (_planned, prior) => computedOf(prior),

  async delete({ id, name }, context, successor) {
    if (successor?.id === id) return;
    try {
      await context.client.tenant.networkAclKeys.delete(id);
    } catch (error) {
      throw isTenantError(error, "conflict") ? await inUse(id, name, error.message, context) : error;
    }
  },

  import: importById,
  review: reviewNetworkAclKey,
  moves: { auth0_network_acl_key: movedNetworkAclKey },
};

function tooMany(error: Error): DiagnosticError {
  return new DiagnosticError(
    "TNF-NO-PLACE-FOR-KEY",
    `The tenant responded: ${error.message} A tenant can have ${mostKeys} network ACL keys. Remove a key that no rule names. If you replace such ` +
      "a key, leave create_before_destroy out, so that Terraform destroys the old key first.",
  );
}

async function inUse(
  id: string,
  name: string | undefined,
  response: string,
  { client }: Context<Client>,
): Promise<DiagnosticError> {
  const acls = await ifReadable(() => client.tenant.networkAcls.list());
  const users = aclsNaming(id, acls ?? []).map((acl) => `network ACL ${acl.id} (${JSON.stringify(acl.description)})`);
  return new DiagnosticError(
    "TNF-KEY-IN-USE-STAYS",
    `The rule of ${users.join(" and ") || "a network ACL"} names network ACL key ${id} (${JSON.stringify(name)}), so the service did not ` +
      `delete it. It responded: ${response} Remove the key from the rule, in the stack that has the rule, and apply again. If you replace the key, use ` +
      "lifecycle { create_before_destroy = true } and name_prefix, so that rules change before Terraform destroys the old key.",
  );
}

export const dataSourceOfOne: DataSource<Client, typeof networkAclKeyRead> = {
  definition: networkAclKeyRead,
  async read({ id, name }, { client }) {
    const { networkAclKeys } = client.tenant;
    const found =
      id !== undefined ? await networkAclKeys.get(id) : (await networkAclKeys.list()).find((key) => key.name === name);
    if (found) return found;
    throw id === undefined ? noSuch(kind, "name", name) : noSuch(kind, "id", id);
  },
};

/** Keeps the material in the state. A configuration with `value_wo` removes it from the state. */
function movedNetworkAclKey({ value, ...rest }: Stored): Stored {
  return { ...rest, ...withoutAbsent({ value }) };
}
