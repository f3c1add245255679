/** Refuses a write of a network ACL that would lock out Terraform or a protected request at that moment of the apply. */
import { mayRestrict } from "../../impact/lockout/write";
import type { Context } from "../../sdk/resource";
import type { NetworkAclBody } from "../../tenant/network-acls";
import type { StandingAcl, WriteGuard } from "../../tenant/write-guard";
import type { Client } from "../client";
import { aclWriteJudge } from "../expectations/writes";
import { refusalOf, type JudgedAcl, type Operation } from "./guard-words";

type Content = Parameters<typeof mayRestrict>[0];

/** `successor`: the ACL that takes the place of the deleted one, if it is known. */
export function writeGuardFor(
  { client, otherCalls }: Context<Client>,
  operation: Operation,
  successor?: NetworkAclBody,
): WriteGuard {
  return {
    mayRestrict: (before, after) => mayRestrict(before as Content, after as Content),
    refusal(before, after) {
      const found = client.guard.lockouts(before.map(judged), after.map(judged));
      return found.length > 0 ? refusalOf(found, operation) : undefined;
    },
    judge: aclWriteJudge(client.expectations.all, operation, {
      all: client.expectations.successors.acls,
      own: successor,
    }),
    otherCalls,
  };
}

/** Two versions of one ACL may be given while its write is under way. */
const judged = (acl: StandingAcl, index: number) =>
  ({ ...(acl as NetworkAclBody), id: acl.id, key: `${acl.id} ${index}` }) as JudgedAcl;
