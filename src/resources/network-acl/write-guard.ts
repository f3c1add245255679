/** Refuses a write of a network ACL that would lock out Terraform or a protected request at that moment of the apply. */
import { attributePath } from "../../cty/path";
import { mayRestrict } from "../../impact/statement/write";
import { DiagnosticError } from "../../sdk/diagnostic";
import type { Context } from "../../sdk/resource";
import type { NetworkAclBody } from "../../tenant/network-acls";
import type { AclPlace, PriorityReports, WriteGuard } from "../../tenant/write-guard";
import type { Client } from "../client";
import { explain } from "../explain";
import { aclWriteJudge } from "../expectations/writes";
import { lockoutRefusalOf, type Operation } from "../expectations/words";

type Content = Parameters<typeof mayRestrict>[0];

/** `successor`: the ACL that takes the place of the deleted one, if it is known. */
export function writeGuardFor(context: Context<Client>, operation: Operation, successor?: NetworkAclBody): WriteGuard {
  const { client, otherCalls } = context;
  return {
    mayRestrict: (before, after) => mayRestrict(before as Content, after as Content),
    refusal(before, after) {
      const [lockout] = client.guard.lockouts(before, after);
      return lockout && lockoutRefusalOf(lockout, operation);
    },
    judge: aclWriteJudge(client.expectations.all, operation, {
      all: client.expectations.successors.acls,
      own: successor,
    }),
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
        "A network ACL waits for its priority",
        `N${called(aside).slice(1)} has priority ${aside.priority} for now, because ${called(holder)} still has ${aside.wanted} and ` +
          `Terraform has not begun to change that ACL. When this apply moves or deletes it, ${aside.id} gets priority ${aside.wanted}. If ` +
          `this apply does not change it, ${aside.id} keeps priority ${aside.priority}, and the next plan shows that.`,
      );
    },
    unfinished(aside, because) {
      const { summary, detail } = because instanceof DiagnosticError ? because : explain(because);
      const words = `N${called(aside).slice(1)} has priority ${aside.priority} and should have ${aside.wanted}.`;
      report(
        new DiagnosticError(
          "A network ACL did not get its priority",
          `${words} ${summary}: ${detail} Apply again.`,
          attributePath("priority"),
        ),
      );
    },
  };
}
