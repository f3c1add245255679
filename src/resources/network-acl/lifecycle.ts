/** Network access control lists on the service: made, read, changed, removed, imported. */
import { isDeepStrictEqual } from "node:util";
import { networkAcl as networkAclKind } from "../../kinds/network-acl";
import { DiagnosticError } from "../../sdk/diagnostic";
import { Incomplete, type Resource } from "../../sdk/resource";
import type { NetworkAclBody } from "../../tenant/network-acls";
import { PriorityTaken, SteppedAside } from "../../tenant/conflict";
import type { Client } from "../client";
import { announcing } from "../expectations/expectations";
import { hasPassed } from "../values";
import { createOrAdopt } from "../identical";
import { networkAcl } from "./definition";
import { movedNetworkAcl } from "./moves";
import { reviewNetworkAcl } from "./review";
import { computedOf, fromWire, toWire } from "./wire";
import { writeCallFor } from "./write-guard";

export const networkAclResource: Resource<Client, typeof networkAcl> = {
  definition: networkAcl,
  title: ({ id, description }) => `network ACL ${id} (${JSON.stringify(description ?? "")})`,

  async create(planned, context) {
    const { networkAcls } = context.client.tenant;
    const create = () => networkAcls.create(toWire(planned), writeCallFor(context, "create")).catch(throwIncomplete);
    return computedOf(await createOrAdopt(networkAclKind, create, context));
  },

  async read({ id, expires_at: end, expired }, { client, privateState }) {
    const found = await client.tenant.networkAcls.get(id!);
    // An end that has passed once stays passed, whatever the clock of this machine says.
    const wasPassed = expired === true || (end !== undefined && privateState["expired"] === end);
    privateState["expired"] = wasPassed || hasPassed(end, client.now()) ? end : undefined;
    return found && { ...fromWire(found), expires_at: end, expired };
  },

  async update(planned, prior, context) {
    const { networkAcls } = context.client.tenant;
    // Only the state has the end of an ACL.
    if (isDeepStrictEqual(toWire(planned), toWire(prior))) return computedOf(prior);
    const call = writeCallFor(context, "update");
    const replaced = networkAcls.replace(prior.id, toWire(planned), toWire(prior), call);
    return computedOf(await replaced.catch(throwIncomplete));
  },

  async delete(state, context, successor) {
    const { id } = state;
    if (successor?.id === id) return;
    const { expectations, tenant } = context.client;
    const next = successor ? (context.privateState["successor"] as NetworkAclBody | undefined) : undefined;
    const call = writeCallFor(context, successor ? "replace" : "delete", next);
    await announcing(expectations.successors.acls, next, () => tenant.networkAcls.delete(id, toWire(state), call));
  },

  async import(id, { client }) {
    if (/^acl_[1-9A-HJ-NP-Za-km-z]{22}$/.test(id) || /^[0-9a-f-]{36}$/.test(id)) return { id };
    const priority = /^priority:(\d+)$/.exec(id)?.[1];
    if (priority === undefined) {
      throw new DiagnosticError(
        ["TNF-IMPORT-ID", "a network ACL"],
        `"${id}" is not of the form acl_ and 22 characters. Import by id (acl_…) or by priority (priority:10).`,
      );
    }
    const found = (await client.tenant.networkAcls.list()).find((acl) => acl.priority === Number(priority));
    if (found) return { id: found.id };
    throw new DiagnosticError(
      "TNF-NO-ACL",
      `The tenant has no network ACL with priority ${priority}. Check the priority, or import by id (acl_…).`,
    );
  },

  review: reviewNetworkAcl,
  moves: { auth0_network_acl: movedNetworkAcl },
};

/** An ACL that stepped aside exists, but with another priority than planned. */
function throwIncomplete(error: unknown): never {
  const isAside = error instanceof SteppedAside;
  const current = isAside || error instanceof PriorityTaken ? error.currentAcl : undefined;
  if (!current) throw error;
  const cause = isAside ? error.cause : error;
  throw new Incomplete({ ...computedOf(current), priority: current.priority }, { cause });
}
