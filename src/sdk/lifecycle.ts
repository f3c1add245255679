/** Read, plan and apply: what Terraform asks for one object, around what its resource does. */
import { equal, unknown, type ObjectValue, type Value } from "../cty/value";
import type { ProviderHandlers } from "../plugin/handlers";
import type { Log } from "../plugin/log";
import type { Diagnostic as ProtocolDiagnostic } from "../plugin/protocol/tfplugin6";
import type { Codec } from "./codec";
import { identityOf, type Change, type Definition, type Identity } from "./definition";
import { isError, protocolDiagnostic, protocolPath } from "./diagnostic";
import type { Ledger } from "./ledger";
import { toPlain } from "./plain";
import { planChange } from "./plan";
import { openPrivate, sealPrivate, type Private } from "./private";
import { Incomplete, type Context, type Resource } from "./resource";

/** A resource and the bytes of its values. */
export interface Managed<Client> {
  readonly resource: Resource<Client>;
  readonly codec: Codec;
}

/** What a configured process has. */
export interface Session<Client> {
  /** Undefined while what it needs is not known. */
  readonly client: Client | undefined;
  readonly ledger: Ledger;
}

/** What the calls of one process share. */
export interface Surroundings<Client> {
  readonly log: Log;
  find(typeName: string): Managed<Client>;
  /** Undefined before the provider is configured. */
  session(): Session<Client> | undefined;
  context(diagnostics: ProtocolDiagnostic[], privateState?: Record<string, unknown>): Context<Client>;
  explain(error: unknown): ProtocolDiagnostic;
  /** What people should know of the work so far. */
  remarks(): ProtocolDiagnostic[];
}

type Calls = Pick<ProviderHandlers, "readResource" | "planResourceChange" | "applyResourceChange">;

export function lifecycle<Client>({ log, find, session, context, explain, remarks }: Surroundings<Client>): Calls {
  return {
    async readResource({ typeName, currentState, private: kept }) {
      const { resource, codec } = find(typeName);
      const prior = codec.decode(currentState);
      if (!prior) return { newState: codec.encode(null), private: kept };
      const diagnostics: ProtocolDiagnostic[] = [];
      const { own, mark = session()?.ledger.createMark() } = openPrivate(kept);
      const around = context(diagnostics, own);
      const known = codec.known(prior);
      session()?.ledger.touch("plan");
      if (session()?.client === undefined) {
        around.warn(
          "Not compared with the service",
          `${resource.title(known)}: part of the provider block is only known after apply, so the plan goes ` +
            "by the state alone.",
        );
        return { newState: currentState, private: kept, diagnostics };
      }
      const found = await resource.read(known, around);
      const identity = identityOf(resource.definition, known);
      if (found && identity) session()?.ledger.seen(resource.definition.name, identity);
      if (!found) {
        around.warn(
          "Gone from the service",
          `The service knows nothing of ${resource.title(known)} any more. It leaves the state; if the ` +
            "configuration still has it, it will be created anew.",
        );
      }
      diagnostics.push(...remarks());
      return { newState: codec.encode(codec.fromPlain(found)), private: sealPrivate({ mark, own }), diagnostics };
    },

    async planResourceChange({ typeName, priorState, proposedNewState, config, priorPrivate }) {
      const { resource, codec } = find(typeName);
      const prior = codec.decode(priorState);
      const written = codec.decode(proposedNewState) && codec.decode(config);
      const before = openPrivate(priorPrivate);
      if (!written) {
        const { mark, diagnostics } = prior
          ? await review(resource, before, { action: "destroy", prior: codec.known(prior) })
          : { diagnostics: [] };
        return {
          plannedState: codec.encode(null),
          plannedPrivate: sealPrivate({ mark, own: before.own }),
          diagnostics,
        };
      }
      const diagnostics = codec.check(written).filter(isError);
      const { planned, replace } = planChange(codec.attributes, prior, written);
      const change = changeOf(codec, prior, planned, replace, before.replaced?.identity);
      const reviewed = diagnostics.length === 0 ? await review(resource, before, change) : undefined;
      const mark = reviewed?.mark ?? before.mark;
      return {
        plannedState: codec.encode(planned),
        requiresReplace: replace.map(protocolPath),
        plannedPrivate: sealPrivate({
          mark,
          own: before.own,
          successor: identityOf(resource.definition, codec.known(planned)),
          replaced: prior ? { mark, identity: identityOf(resource.definition, codec.known(prior)) } : before.replaced,
        }),
        diagnostics: reviewed?.diagnostics ?? diagnostics,
      };
    },

    async applyResourceChange({ typeName, priorState, plannedState, config, plannedPrivate }) {
      const { resource, codec } = find(typeName);
      const prior = codec.decode(priorState);
      const planned = codec.decode(plannedState);
      const kept = openPrivate(plannedPrivate);
      session()?.ledger.touch("apply");
      const mark = (planned ? kept.mark : (kept.replaced?.mark ?? kept.mark)) ?? session()?.ledger.createMark();
      const diagnostics = codec.check(codec.decode(config)).filter(isError);
      const answer = (newState: Value) => ({
        newState: codec.encode(newState),
        private: sealPrivate({ mark, own: kept.own }),
        diagnostics: [...diagnostics, ...remarks()],
      });
      if (diagnostics.length > 0) return answer(prior);

      const around = context(diagnostics, kept.own);
      const book = bookFor(resource.definition, mark);
      const before = prior ? codec.known(prior) : undefined;
      const wanted = planned ? codec.known(planned) : undefined;
      try {
        if (planned && wanted) {
          book.note(wanted);
          const computed = before
            ? await resource.update(wanted, before, around)
            : await resource.create(wanted, around);
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
        diagnostics.push(explain(error));
        const state = error instanceof Incomplete ? join(codec, planned ?? prior ?? {}, error.state) : prior;
        if (state) book.note(codec.known(state));
        else if (wanted) book.strike(wanted);
        return answer(state);
      }
    },
  };

  /** What the ledger says of one object that is being changed. */
  function bookFor(definition: Definition, mark: string | undefined) {
    const ledger = session()?.ledger;
    const write = (known: Identity, state: Identity | undefined) =>
      mark === undefined ? undefined : ledger?.made(definition.name, mark, identityOf(definition, known), state);
    return {
      note: (known: Identity) => write(known, known),
      strike: (known: Identity) => write(known, undefined),
      other(known: Identity) {
        const identity = identityOf(definition, known);
        return identity && ledger?.madeByOther(definition.name, mark, identity);
      },
    };
  }

  async function review(
    resource: Resource<Client>,
    { mark, replaced, own }: Private,
    change: Change,
  ): Promise<{ mark?: string; diagnostics: ProtocolDiagnostic[] }> {
    const current = session();
    if (!current) return { mark, diagnostics: [] };
    const { client, ledger } = current;
    const { definition } = resource;
    const diagnostics: ProtocolDiagnostic[] = [];
    ledger.touch();
    const plan = ledger.enter({
      kind: definition.name,
      mark: change.prior && mark,
      replaces: change.prior ? undefined : replaced?.mark,
      identity: change.prior && identityOf(definition, change.prior),
      change,
    });
    try {
      await resource.review?.(change, {
        client,
        plan,
        privateState: own,
        log,
        report: (diagnostic) => diagnostics.push(protocolDiagnostic({ path: [], ...diagnostic })),
      });
    } finally {
      plan.answered();
    }
    return { mark: plan.mark, diagnostics };
  }
}

function changeOf(
  codec: Codec,
  prior: ObjectValue | null,
  planned: ObjectValue,
  replace: readonly unknown[],
  replaced: Identity | undefined,
): Change {
  const wanted = toPlain(planned) as Record<string, unknown>;
  if (!prior) return { action: "create", planned: wanted, replaced };
  const action = replace.length > 0 ? "replace" : equal(prior, planned, codec.type) ? "keep" : "update";
  return { action, prior: codec.known(prior), planned: wanted };
}

/** What was planned, with what is now known besides; nothing stays unknown. */
export function join(codec: Codec, planned: ObjectValue, computed: { readonly [name: string]: unknown }): ObjectValue {
  const added = codec.fromPlain(computed) as ObjectValue;
  return Object.fromEntries(
    codec.attributes.map(({ name }) => {
      const known = planned[name] === unknown ? null : (planned[name] ?? null);
      return [name, name in computed ? (added[name] ?? null) : known];
    }),
  );
}
