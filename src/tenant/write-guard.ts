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
  /** Counts the caller as waiting while the work lasts. */
  waiting<T>(work: () => Promise<T>): Promise<T>;
}
