/** Keys of signatures on the service: made, read, removed, imported; a change of one is a new one. */
import { DiagnosticError } from "../../sdk/diagnostic";
import { Incomplete, type Context, type Resource } from "../../sdk/resource";
import { isTenantError } from "../../tenant/error";
import type { Client } from "../client";
import { createOrAdopt } from "../identical";
import { networkAclKey } from "./definition";
import { fingerprintOf } from "./material";
import { movedNetworkAclKey } from "./moves";
import { reviewNetworkAclKey } from "./review";
import { mostKeys, titleOfAcls, usersOf } from "./users";
import { computedOf, fromWire, toWire } from "./wire";

const named = { kind: "network ACL key", type: "tenant_network_acl_key", key: "name" };

export const networkAclKeyResource: Resource<Client, typeof networkAclKey> = {
  definition: networkAclKey,
  title: ({ id, name }) => `network ACL key ${id} (${JSON.stringify(name ?? "")})`,

  async create(planned, context) {
    const body = toWire(planned);
    const fingerprint = fingerprintOf(body.value);
    const { networkAclKeys } = context.client.tenant;
    const made = await createOrAdopt(named, () => networkAclKeys.create(body, fingerprint), context).catch((error) => {
      throw isTenantError(error, "forbidden") && error.serviceCode === "too_many_entities" ? tooMany(error) : error;
    });
    if (made.fingerprint === fingerprint) return computedOf(made);
    const cause = new DiagnosticError(
      "Another fingerprint than expected",
      `The tenant tells ${made.fingerprint} for network ACL key ${made.id}, and SHA-256 of the material is ${fingerprint}. ` +
        "It may count in another way by now: look for a newer version of the provider.",
    );
    throw new Incomplete(computedOf(made), { cause });
  },

  async read(state, { client }) {
    const found = await client.tenant.networkAclKeys.get(state.id!);
    return found && fromWire(found, state);
  },

  /** What the service has of a key never changes: only what the state has besides, such as the material in another place. */
  update: async (_planned, prior) => computedOf(prior),

  async delete({ id, name }, context, successor) {
    if (successor?.id === id) return;
    try {
      await context.client.tenant.networkAclKeys.delete(id);
    } catch (error) {
      throw isTenantError(error, "conflict") ? await inUse(id, name, error.message, context) : error;
    }
  },

  async import(id, { client }) {
    if (/^key_[1-9A-HJ-NP-Za-km-z]+$/.test(id)) return { id };
    const name = /^name:(.+)$/s.exec(id)?.[1];
    if (name === undefined) {
      throw new DiagnosticError(
        "Not the id of a network ACL key",
        `"${id}" is not of the form key_ and letters and digits. Import by id (key_…) or by name (name:edge-2026).`,
      );
    }
    const found = (await client.tenant.networkAclKeys.list()).find((key) => key.name === name);
    if (found) return { id: found.id };
    throw new DiagnosticError("No such network ACL key", `The tenant has no network ACL key ${JSON.stringify(name)}.`);
  },

  review: reviewNetworkAclKey,
  moves: { auth0_network_acl_key: movedNetworkAclKey },
};

function tooMany(error: Error): DiagnosticError {
  return new DiagnosticError(
    "No place for another key",
    `The tenant says: ${error.message} It may have ${mostKeys} network ACL keys. Remove one that no rule names; where one is ` +
      "replaced that no rule names, leave create_before_destroy out, so that the old one goes first.",
  );
}

async function inUse(
  id: string,
  name: string | undefined,
  told: string,
  { client }: Context<Client>,
): Promise<DiagnosticError> {
  const users = await usersOf(id, client);
  return new DiagnosticError(
    "A key in use stays",
    `Network ACL key ${id} (${JSON.stringify(name)}) is named in the rule of ${titleOfAcls(users) || "a network ACL"}, so that the ` +
      `tenant keeps it: ${told} Take it out of the rule, in the stack that has it, and apply again. Where the key is replaced: ` +
      "lifecycle { create_before_destroy = true } and another name (name_prefix gives one) let rules move over before the old one goes.",
  );
}
