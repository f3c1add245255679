/** Refuses a write of a network ACL that would lock out Terraform or a protected request at that moment of the apply. */
import { attributePath } from "../../cty/path";
import { mayRestrict } from "../../impact/statement/write";
import { titleOf } from "../../codes/codes";
import { DiagnosticError } from "../../sdk/diagnostic";
import type { Context } from "../../sdk/resource";
import type { NetworkAclBody } from "../../tenant/network-acls";
import type { AclCall, AclPlace, PriorityReports } from "../../tenant/gate/changes";
import type { Write } from "../../tenant/gate/verdict";
import type { Client } from "../client";
import { explain } from "../explain";
import { aclWriteJudge } from "../expectations/writes";
import { lockoutRefusalOf, type Operation } from "../expectations/words";

type Content = Parameters<typeof mayRestrict>[0];

/** `successor`: the ACL that takes the place of the deleted one, if it is known. */
export function writeCallFor(context: Context<Client>, operation: Operation, successor?: NetworkAclBody): AclCall {
  const { client, otherCalls } = context;
  const all = client.expectations.successors.acls;
  const judge = aclWriteJudge(client.expectations.all, operation, { all, own: successor });
  const restricts = ({ before, after }: Write<NetworkAclBody>) => mayRestrict(before as Content, after as Content);
  return {
    guard: {
      mayRefuse: (write) => restricts(write) || (judge?.mayBreak(write) ?? false),
      refusal(before, after, write, isFinal) {
        const [lockout] = restricts(write) ? client.guard.lockouts(before, after) : [];
        return lockout ? lockoutRefusalOf(lockout, operation) : judge?.refusal(before, after, write, isFinal);
      },
    },
    otherCalls,
    reports: reportsOf(context),
  };
}

const called = ({ id, description }: AclPlace) =>
  `network ACL ${id}${description === undefined ? "" : ` (${JSON.stringify(description)})`}`;

function reportsOf({ warn, report }: Context<Client>): PriorityReports {
  return {
    early(aside, holder) {
      warn(
        "TNF-PRIORITY-LATER",
        `N${called(aside).slice(1)} has priority ${aside.priority} for now, because ${called(holder)} still has ${aside.wanted} and ` +
          `Terraform has not begun to change that ACL. When this apply moves or deletes it, ${aside.id} gets priority ${aside.wanted}. If ` +
          `this apply does not change it, ${aside.id} keeps priority ${aside.priority}, and the next plan shows that.`,
      );
    },
    unfinished(aside, because) {
      const { code, detail } = because instanceof DiagnosticError ? because : explain(because);
      const words = `N${called(aside).slice(1)} has priority ${aside.priority} and should have ${aside.wanted}.`;
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
