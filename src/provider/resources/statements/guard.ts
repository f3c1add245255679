/** The lock-out guard of a provider configuration, as far as the plan knows its values. */
import { unknown, isWhollyKnown } from "../../../formats/cty/value";
import type { AclVersions } from "../../../judge/impact/network-acl/acl";
import type { Lockout, Terraform } from "../../../judge/impact/statement/lockout";
import {
  protectedRequest,
  type ProtectedRequest,
  type Strength,
} from "../../../judge/impact/statement/protected-request";
import { writeLockouts } from "../../../judge/impact/statement/write";
import type { Settings, Statements } from "./statements";

export interface Guard {
  readonly strength: Strength;
  readonly requests: readonly ProtectedRequest[];
  readonly terraform: Terraform;
  /** A part of it is not known yet. An apply knows all of it, and judges its writes. */
  readonly isOpen: boolean;
}

/** Those that are not off. */
export const guardsOf = ({ settings }: Pick<Statements, "settings">): Guard[] =>
  settings.map(guardOf).filter(({ strength }) => strength !== "off");

function guardOf({ protected_request: written = [], lockout_guard = "error", own }: Settings): Guard {
  const requests = (written === unknown ? [] : written).map((one) =>
    protectedRequest(one === undefined || one === unknown ? { path: unknown } : one),
  );
  return {
    strength: lockout_guard === unknown ? "warn" : lockout_guard,
    requests,
    terraform: own,
    isOpen:
      lockout_guard === unknown || written === unknown || requests.some(({ statement }) => !isWhollyKnown(statement)),
  };
}

export const isRefusing = ({ strength, isOpen }: Guard): boolean => strength === "error" && !isOpen;

/** The lock-outs that one write causes and that the settings refuse. */
export const refusedBy = (guards: readonly Guard[], versions: AclVersions): Lockout[] =>
  guards.filter(isRefusing).flatMap(({ requests, terraform }) => writeLockouts(versions, requests, terraform));
