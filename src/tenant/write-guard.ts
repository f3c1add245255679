/** Guards the writes of network ACLs. The caller defines it, because this room evaluates no rules. */
import type { NetworkAclBody } from "./network-acl";

/** An ACL of the tenant; without an id, one that is about to be created. */
export type StandingAcl = NetworkAclBody & { readonly id?: string | undefined };

export interface WriteGuard {
  /** Whether the write can block a request that the tenant allows now. undefined: the ACL does not exist. */
  mayRestrict(before: NetworkAclBody | undefined, after: NetworkAclBody | undefined): boolean;
  /** The error for a write that turns the first ACLs into the second ones and locks out; undefined: it locks nobody out. */
  refusal(before: readonly StandingAcl[], after: readonly StandingAcl[]): Error | undefined;
  /** Judges writes by more than lock-outs. */
  readonly judge?: WriteJudge | undefined;
  /** The other calls of Terraform. Default: they are not known. */
  readonly otherCalls?: OtherCalls | undefined;
  /** Shows with the result of the call what a person must know. Left out: no call ends before its ACL has the priority. */
  readonly reports?: PriorityReports | undefined;
}

/** What a call says about an ACL that did not get its priority at once. */
export interface PriorityReports {
  /** The call ends, and the call that frees the priority will move the ACL. */
  early(aside: AclPlace, holder: AclPlace): void;
  /** An ACL whose call ended early does not get its priority, although this call freed it. */
  unfinished(aside: AclPlace, because: unknown): void;
}

/** An ACL and the priority that it has, and the one that it should have. */
export interface AclPlace {
  readonly id: string;
  readonly description?: string | undefined;
  readonly priority: number;
  readonly wanted?: number | undefined;
}

export interface WriteJudge {
  /** Whether the write may be refused. undefined: the ACL does not exist. */
  mayBreak(before: NetworkAclBody | undefined, after: NetworkAclBody | undefined): boolean;
  /**
   * The error for a write that turns the first ACLs into the second ones; undefined: it is accepted. `isFinal`: the ACL gets the
   * priority that it will keep.
   */
  refusal(before: readonly StandingAcl[], after: readonly StandingAcl[], isFinal: boolean): Error | undefined;
}

export interface OtherCalls {
  /** Whether another call is running, and does not wait. */
  areRunning(): boolean;
  /** Whether Terraform can certainly start another call while all running ones wait. Default: it is not known. */
  hasFreeSlot?(): boolean;
  /** Counts the caller as waiting while the work lasts. */
  waiting<T>(work: () => Promise<T>): Promise<T>;
}
