/** Read, plan and apply: what Terraform asks for one object, around what its resource does. */
import type { ObjectValue } from "../cty/value";
import type { ProviderHandlers } from "../plugin/handlers";
import type { Log } from "../plugin/log";
import type { Diagnostic as ProtocolDiagnostic } from "../plugin/protocol/tfplugin6";
import type { Codec } from "./codec";
import { identityOf, type Change, type Definition, type Identity, type Known } from "./definition";
import { completed, departures } from "./derived";
import { isError, protocolDiagnostic, protocolPath } from "./diagnostic";
import type { IdentityCodec } from "./identity";
import type { PlanRegistry } from "./plan-registry";
import { toPlain } from "./plain";
import { changeOf, join, planChange, wantedOf } from "./plan";
import { openPrivate, sealPrivate, type Private } from "./private";
import { Incomplete, type Context, type Explanation, type Resource } from "./resource";

/** A resource and the bytes of its values. */
export interface Managed<Client> {
  readonly resource: Resource<Client>;
  readonly codec: Codec;
  readonly identity: IdentityCodec;
}

/** What a configured process has. */
export interface Session<Client> {
  /** Undefined while what it needs is not known. */
  readonly client: Client | undefined;
  readonly registry: PlanRegistry;
  /** Topics of errors that were told. */
  readonly told: Set<string>;
  /** Whether an error was met that meets every request. */
  isHopeless: boolean;
}

export function openSession<Client>(client: Client | undefined, registry: PlanRegistry): Session<Client> {
  return { client, registry, told: new Set(), isHopeless: false };
}

/** What the calls of one process share. */
export interface Surroundings<Client> {
  readonly log: Log;
  find(typeName: string): Promise<Managed<Client>>;
  /** Undefined before the provider is configured. */
  session(): Session<Client> | undefined;
  context(diagnostics: ProtocolDiagnostic[], privateState?: Record<string, unknown>): Context<Client>;
  explain(error: unknown): ProtocolDiagnostic;
  /** Whether whatever is asked meets this error, and which others have the same cause. */
  causeOf(error: unknown): Pick<Explanation, "isCommon" | "topic">;
  /** What people should know of the work so far. */
  remarks(): ProtocolDiagnostic[];
}

/** In place of an error that was told before, where Terraform takes silence for success. */
const notDone = {
  severity: "error",
  summary: "Not done either",
  detail: "Another error of this run says why.",
  path: [],
} as const;

type Calls = Pick<ProviderHandlers, "readResource" | "planResourceChange" | "applyResourceChange">;

export function lifecycle<Client>({
  log,
  find,
  session,
  context,
  explain,
  causeOf,
  remarks,
}: Surroundings<Client>): Calls {
  return {
    async readResource({ typeName, currentState, currentIdentity, private: kept }) {
      const { resource, codec, identity: identityCodec } = await find(typeName);
      const prior = codec.decode(currentState);
      if (!prior) return { newState: codec.encode(null), private: kept };
      const diagnostics: ProtocolDiagnostic[] = [];
      const { own, objectKey = session()?.registry.createObjectKey() } = openPrivate(kept);
      const around = context(diagnostics, own);
      const known = codec.known(prior);
      session()?.registry.touch("plan");
      if (session()?.client === undefined) {
        around.warn(
          "Not compared with the service",
          `${resource.title(known)}: part of the provider's configuration is only known after apply, so the plan goes ` +
            "by the state alone.",
        );
        return { newState: currentState, newIdentity: currentIdentity, private: kept, diagnostics };
      }
      if (isHopeless()) return { newState: currentState, newIdentity: currentIdentity, private: kept };
      let found: object | undefined;
      try {
        found = await resource.read(known, around);
      } catch (error) {
        diagnostics.push(...toldOnce(error));
        return { newState: currentState, newIdentity: currentIdentity, private: kept, diagnostics };
      }
      const identity = identityOf(resource.definition, known);
      if (found && identity) session()?.registry.seen(resource.definition.name, identity);
      if (!found) {
        around.warn(
          "Gone from the service",
          `The service knows nothing of ${resource.title(known)} any more. It leaves the state; if the ` +
            "configuration still has it, it will be created anew.",
        );
      }
      diagnostics.push(...remarks());
      return {
        newState: codec.encode(codec.fromPlain(found)),
        newIdentity: identityCodec.encode(found as Identity | undefined),
        private: sealPrivate({ objectKey, own }),
        diagnostics,
      };
    },

    async planResourceChange({ typeName, priorState, proposedNewState, config, priorPrivate, priorIdentity }) {
      const { resource, codec, identity } = await find(typeName);
      const prior = codec.decode(priorState);
      // What Terraform proposes tells that the object goes; what it becomes follows from the configuration.
      const written = codec.decode(proposedNewState) && codec.decode(config);
      const before = openPrivate(priorPrivate);
      if (!written) {
        const reviewed = prior && (await review(resource, before, { action: "destroy", prior: codec.known(prior) }));
        return {
          plannedState: codec.encode(null),
          plannedIdentity: priorIdentity,
          plannedPrivate: sealPrivate({ objectKey: reviewed?.objectKey, own: before.own }),
          diagnostics: [...(reviewed?.diagnostics ?? []), ...remarks()],
        };
      }
      const diagnostics = codec.check(written).filter(isError);
      const { planned, replace } = planChange(codec.attributes, prior, written, resource.definition.derive);
      const change = changeOf(codec, prior, planned, replace, before.replaced?.identity);
      const reviewed = diagnostics.length === 0 ? await review(resource, before, change) : undefined;
      const objectKey = reviewed?.objectKey ?? before.objectKey;
      return {
        plannedState: codec.encode(planned),
        plannedIdentity: identity.encode(toPlain(planned) as Identity),
        requiresReplace: replace.map(protocolPath),
        plannedPrivate: sealPrivate({
          objectKey,
          own: before.own,
          ...(reviewed?.again && { reviewAgain: true }),
          successor: identityOf(resource.definition, codec.known(planned)),
          replaced: prior
            ? { objectKey, identity: identityOf(resource.definition, codec.known(prior)) }
            : before.replaced,
        }),
        diagnostics: [...(reviewed?.diagnostics ?? diagnostics), ...remarks()],
      };
    },

    async applyResourceChange({ typeName, priorState, plannedState, config, plannedPrivate }) {
      const { resource, codec, identity } = await find(typeName);
      const prior = codec.decode(priorState);
      const written = codec.decode(config);
      const now = written && wantedOf(codec.attributes, written, resource.definition.derive);
      const planned = completed(codec, codec.decode(plannedState), now);
      const kept = openPrivate(plannedPrivate);
      session()?.registry.touch("apply");
      const objectKey =
        (planned ? kept.objectKey : (kept.replaced?.objectKey ?? kept.objectKey)) ??
        session()?.registry.createObjectKey();
      const diagnostics = codec.check(written).filter(isError);
      if (planned && now && diagnostics.length === 0) diagnostics.push(...departures(codec, planned, now));
      const answer = (newState: ObjectValue | null) => ({
        newState: codec.encode(newState),
        newIdentity: identity.encode(newState && codec.known(newState)),
        private: sealPrivate({ objectKey, own: kept.own }),
        diagnostics: [...diagnostics, ...remarks()],
      });
      // Terraform does not plan a destroy again when it applies, and some engines never plan one.
      const isEnd = prior && !planned && !kept.replaced;
      if (isEnd || (planned && kept.reviewAgain)) {
        const change: Change = planned
          ? changeOf(codec, prior, planned, [], kept.replaced?.identity)
          : { action: "destroy", prior: codec.known(prior!) };
        const reviewed = await review(resource, { ...kept, objectKey }, change, notDone);
        diagnostics.push(...reviewed.diagnostics.filter(isError));
      }
      if (diagnostics.some(isError)) {
        if (objectKey !== undefined) session()?.registry.failed(objectKey);
        return answer(prior);
      }

      const around = context(diagnostics, kept.own);
      const book = bookFor(resource.definition, objectKey);
      const before = prior ? codec.known(prior) : undefined;
      const wanted = planned ? codec.known(planned) : undefined;
      const secret = written ? codec.writeOnly(written) : {};
      try {
        if (planned && wanted) {
          book.note(wanted);
          const whole = { ...wanted, ...secret };
          const computed = before ? await resource.update(whole, before, around) : await resource.create(whole, around);
          const state = join(codec, planned, computed);
          book.note(codec.known(state));
          return answer(state);
        }
        if (before) {
          await resource.delete(before, around, book.other(before) ?? kept.successor);
          book.strike(before);
        }
        return answer(null);
      } catch (error) {
        diagnostics.push(...toldOnce(error, notDone));
        const state = error instanceof Incomplete ? join(codec, planned ?? prior ?? {}, error.state) : prior;
        if (state) book.note(codec.known(state));
        else if (wanted) book.strike(wanted);
        if (objectKey !== undefined && !(error instanceof Incomplete)) session()?.registry.failed(objectKey);
        return answer(state);
      }
    },
  };

  /** A plan that has met what meets every request fails: the rest of it is answered without asking again. */
  function isHopeless(): boolean {
    const current = session();
    return current !== undefined && current.registry.phase !== "apply" && current.isHopeless;
  }

  /** An error in words; one that every object meets is told by the first, and the others say `instead`, if anything. */
  function toldOnce(error: unknown, instead?: typeof notDone) {
    const current = session();
    if (!current) return [explain(error)];
    const { isCommon = false, topic } = causeOf(error);
    if (isCommon && current.isHopeless) return instead ? [protocolDiagnostic(instead)] : [];
    if (!instead && topic !== undefined && current.told.has(topic)) return [];
    current.isHopeless ||= isCommon;
    if (topic !== undefined) current.told.add(topic);
    return [explain(error)];
  }

  /** What the registry says of one object that is being changed. */
  function bookFor(definition: Definition, objectKey: string | undefined) {
    const registry = session()?.registry;
    const write = (known: Known, state: Known | undefined) =>
      objectKey === undefined
        ? undefined
        : registry?.made(definition.name, objectKey, identityOf(definition, known), state);
    return {
      note: (known: Known) => write(known, known),
      strike: (known: Known) => write(known, undefined),
      other(known: Known) {
        const identity = identityOf(definition, known);
        return identity && registry?.madeByOther(definition.name, objectKey, identity);
      },
    };
  }

  /** `again`: the change is to be reviewed again right before it is written. */
  async function review(
    resource: Resource<Client>,
    { objectKey, replaced, own }: Private,
    change: Change,
    instead?: typeof notDone,
  ): Promise<{ objectKey?: string; diagnostics: ProtocolDiagnostic[]; again: boolean }> {
    const current = session();
    if (!current) return { objectKey, diagnostics: [], again: false };
    const { client, registry } = current;
    const { definition } = resource;
    const diagnostics: ProtocolDiagnostic[] = [];
    let again = false;
    const isApply = instead !== undefined;
    const entered = isApply && objectKey !== undefined ? registry.entered(objectKey) : undefined;
    const plan =
      entered ??
      registry.enter({
        kind: definition.name,
        objectKey: change.prior && objectKey,
        replaces: replaced?.objectKey,
        identity: change.prior && identityOf(definition, change.prior),
        change,
      });
    if (isHopeless()) {
      plan.answered();
      return { objectKey: plan.objectKey, diagnostics, again: true };
    }
    try {
      await resource.review?.(change, {
        client,
        plan,
        privateState: own,
        log,
        report: (diagnostic) => diagnostics.push(protocolDiagnostic({ path: [], ...diagnostic })),
        reviewAgain: () => (again = true),
      });
    } catch (error) {
      again = true;
      diagnostics.push(...toldOnce(error, instead));
    } finally {
      plan.answered();
    }
    return { objectKey: plan.objectKey, diagnostics, again };
  }
}
