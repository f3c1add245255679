/** Network access control lists on the service: made, read, changed, removed, imported. */
import { equal } from "../../../formats/cty/value";
import { networkAcl as kind } from "../../../judge/kinds/network-acl";
import type { State } from "../../sdk/definition";
import { DiagnosticError } from "../../sdk/diagnostic";
import { type Context, Incomplete, type Resource, type Stored } from "../../sdk/resource";
import { PriorityTaken, SteppedAside } from "../../../tenant/conflict";
import type { Client } from "../client";
import { createOrAdopt } from "../claim";
import { listingOf } from "../listing";
import { computedOf, networkAcl, toWire } from "./definition";
import { reviewNetworkAcl } from "./review";
import * as z from "zod";
import { withoutAbsent } from "../../../judge/impact/model";
import { only } from "../schemas";
import { attributePath } from "../../../formats/cty/path";
import { titleOf } from "../../../judge/codes/codes";
import type { AclCall, AclPlace, PriorityReports } from "../../../tenant/gate/changes";
import { explain } from "../explain";
import { aclWriteGuard } from "../statements/write";
import type { Operation } from "../statements/words";

const { dataSource, list, importById } = listingOf({
  kind,
  definition: networkAcl,
  object: z.object({ ...networkAcl.config.shape, ...networkAcl.computed.shape }),
  all: (tenant) => tenant.networkAcls.list(),
  titleOf: ({ description }) => description,
  ids: {
    pattern: /^(?:acl_[1-9A-HJ-NP-Za-km-z]{22}|[0-9a-f-]{36})$/,
    form: "acl_ followed by 22 characters",
    example: "10",
  },
});
export { dataSource, list };

export const resource: Resource<Client, typeof networkAcl> = {
  definition: networkAcl,
  title: (state) => called(state),

  async create(planned, context) {
    const { networkAcls } = context.client.tenant;
    const create = () => networkAcls.create(toWire(planned), writeCallFor(context, "create")).catch(throwIncomplete);
    return computedOf(await createOrAdopt(kind, create, context));
  },

  read: async ({ id }, { client }) =>
    (await client.tenant.networkAcls.get(id!)) as State<typeof networkAcl> | undefined,

  async update(planned, prior, context) {
    const { networkAcls } = context.client.tenant;
    if (equal(toWire(planned), toWire(prior))) return computedOf(prior);
    const call = writeCallFor(context, "update");
    const replaced = networkAcls.replace(prior.id, toWire(planned), toWire(prior), call);
    return computedOf(await replaced.catch(throwIncomplete));
  },

  async delete(state, context, successor) {
    const { id } = state;
    if (successor?.id === id) return;
    const call = writeCallFor(context, successor ? "replace" : "delete");
    await context.client.tenant.networkAcls.delete(id, toWire(state), call);
  },

  import: importById,
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

function movedNetworkAcl({ id, description, active, priority, rule: rules }: Stored): Stored {
  const { action, match, not_match, match_all, scope } = only(rules) ?? {};
  const sides = Object.entries({ match: only(match), not_match: only(not_match) });
  const rule = {
    action: withoutAbsent(only(action) ?? {}),
    ...Object.fromEntries(sides.flatMap(([side, criteria]) => (criteria ? [[side, withoutAbsent(criteria)]] : []))),
    ...withoutAbsent({ match_all }),
    scope,
  };
  return { id, description, active, priority, rule };
}

function writeCallFor(context: Context<Client>, operation: Operation): AclCall {
  const { client, otherCalls } = context;
  return { guard: aclWriteGuard(client.statements, operation), otherCalls, reports: reportsOf(context) };
}

const called = ({ id, description }: Partial<Pick<AclPlace, "id" | "description">>, noun = "network ACL") =>
  `${noun} ${id}${description === undefined ? "" : ` (${JSON.stringify(description)})`}`;

function reportsOf({ warn, report }: Context<Client>): PriorityReports {
  return {
    early(aside, holder) {
      warn(
        "TNF-PRIORITY-LATER",
        `${called(aside, "Network ACL")} has priority ${aside.priority} for now, because ${called(holder)} still has ${aside.wanted} and ` +
          `Terraform has not begun to change that ACL. When this apply moves or deletes it, ${aside.id} gets priority ${aside.wanted}. If ` +
          `this apply does not change it, ${aside.id} keeps priority ${aside.priority}, and the next plan shows that.`,
      );
    },
    unfinished(aside, because) {
      const { code, detail } = because instanceof DiagnosticError ? because : explain(because);
      const words = `${called(aside, "Network ACL")} has priority ${aside.priority} and should have ${aside.wanted}.`;
      report(
        new DiagnosticError(
          "TNF-PRIORITY-MISSED",
          `${words} ${titleOf(code)}: ${detail} Apply again.`,
          attributePath("priority"),
        ),
      );
    },
  };
}
