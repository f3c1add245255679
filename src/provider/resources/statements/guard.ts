/** The lock-out guard of a provider configuration, as far as the plan knows its values. */
import { unknown, isWhollyKnown } from "../../../formats/cty/value";
import { acts, type PlannedObject } from "../../../judge/impact/model";
import type { Statements as Asked } from "../../../judge/impact/statement/effects";
import {
  protectedRequest,
  type ProtectedRequest,
  type Strength,
} from "../../../judge/impact/statement/protected-request";
import { networkAcl } from "../../../judge/kinds/network-acl";
import type { Client } from "../client";
import { ownClientOf } from "./own-limit";
import { strengthOf, type Statements } from "./statements";

export interface Guard {
  readonly strength: Strength;
  readonly requests: readonly ProtectedRequest[];
  /** A part of it is not known yet. An apply knows all of it, and judges its writes. */
  readonly isOpen: boolean;
}

export type Settings = Pick<Statements, "protected_request" | "lockout_guard" | "own">;

/** Undefined: it is off. */
export function guardOf({ protected_request: written = [], lockout_guard }: Settings): Guard | undefined {
  const strength = strengthOf({ lockout_guard });
  if (strength === undefined) return undefined;
  const requests = (written === unknown ? [] : written).map((one) =>
    protectedRequest(one === undefined || one === unknown ? { path: unknown } : one),
  );
  return {
    strength,
    requests,
    isOpen:
      lockout_guard === unknown || written === unknown || requests.some(({ statement }) => !isWhollyKnown(statement)),
  };
}

/** The statements that objects of the plan concern, as far as what decides about them was read. */
export function askedOf({ statements, remote }: Client, objects: readonly PlannedObject[]): Asked {
  const { asked, own, expectations } = statements;
  const guard = asked.has("requests") && remote.network_acls ? guardOf(statements) : undefined;
  const ownClient = asked.has("own limit") && remote.rate_limit_policies ? ownClientOf(statements) : undefined;
  return {
    ...(guard && {
      guarded: {
        requests: { own: guard.requests, base: [] },
        terraform: own,
        changesAcls: objects.some((one) => one.type === networkAcl.type && acts(one)),
        judge: {
          strength: guard.isOpen && guard.strength === "error" ? undefined : guard.strength,
          requests: guard.requests,
        },
      },
    }),
    expectations: expectations.filter((one) => asked.has(one)),
    ...(ownClient && { ownClient }),
  };
}
