/** The interfaces of a provider, its resources, data sources and lists. Each part loads when it is first needed: a process rarely needs all of them. */
import type * as z from "zod";
import type { Titled } from "../../judge/codes/codes";
import type { Log } from "../plugin/log";
import type { Rule } from "./attribute";
import type { Change, Computed, Config, Definition, Identity, Known, State, Written } from "./definition";
import { type Diagnostic, DiagnosticError } from "./diagnostic";
import type { OtherCalls } from "./gathering";
import type { PlannedObject } from "./plan-registry";

/** By name. */
export type Lazy<T> = Readonly<Record<string, () => Promise<T>>>;

export const loadAll = <T>(parts: Lazy<T>): Promise<T[]> => Promise.all(Object.values(parts).map((load) => load()));

/** By the name that Terraform uses. */
export type LazyMap<T> = ReadonlyMap<string, () => Promise<T>>;

export function lazyMap<T, Ready>(parts: Lazy<T>, prepare: (part: T) => Ready, prefix = ""): LazyMap<Ready> {
  return new Map(Object.entries(parts).map(([name, load]) => [prefix + name, once(load, prepare)]));
}

/** Loads and prepares a part at the first call. */
export function once<T, Ready>(load: () => Promise<T>, prepare: (part: T) => Ready): () => Promise<Ready> {
  let ready: Promise<Ready> | undefined;
  return () => (ready ??= load().then(prepare));
}

/** The results by name, without the parts for which `select` returns nothing. */
export async function each<T, Selected>(
  parts: LazyMap<T>,
  select: (part: T) => Selected,
): Promise<Record<string, NonNullable<Selected>>> {
  const selected = await Promise.all([...parts].map(async ([name, ready]) => [name, select(await ready())] as const));
  return Object.fromEntries(selected.filter((one): one is [string, NonNullable<Selected>] => one[1] !== undefined));
}

/** Throws a DiagnosticError if the provider has no part of this name. */
export function find<T>(parts: LazyMap<T>, name: string): Promise<T> {
  const ready = parts.get(name);
  if (ready) return ready();
  throw new DiagnosticError(["TNF-UNKNOWN-TYPE", name], `This provider has ${[...parts.keys()].join(", ")}.`);
}

/** The helpers of one call. */
export interface Context<Client> {
  /** The configured client. Throws a DiagnosticError while the provider block does not suffice for one. */
  readonly client: Client;
  readonly log: Log;
  /** Whether this process has made an object of the kind with this identity for another resource. */
  madeHere(identity: Identity): boolean;
  /** The other objects of the kind that this process or the plan knows, as they are known at the time of the call. */
  others(): readonly Known[];
  /** Notes that the service had the created object before: destroying another entry of the state for it leaves it. */
  adopted(): void;
  /** Shows a warning with the result of the call. */
  warn(code: Titled, detail: string): void;
  /** Shows an error with the result of the call, whose own work is done. */
  report(error: unknown): void;
  /** The other calls of Terraform; left out outside of Terraform. */
  readonly otherCalls?: OtherCalls;
}

/** The helpers of a review. */
export interface ReviewContext<Client> {
  /** Undefined while what it needs is not known. */
  readonly client: Client | undefined;
  /** The object among all others of the plan. */
  readonly plan: PlannedObject;
  readonly log: Log;
  /** An error refuses the plan, so no change that is yet to be planned may be able to prevent it. */
  report(diagnostic: Omit<Diagnostic, "path"> & Partial<Diagnostic>): void;
}

/**
 * One kind of object on the service, and what is done about it. Every function may throw: the error is explained to the
 * user at the resource, and the state stays what it was, unless it is an Incomplete.
 */
export interface Resource<Client, T extends Definition = Definition> {
  readonly definition: T;
  /** How people call the object in a sentence: `network ACL acl_x ("Block bots")`. */
  title(state: Partial<State<T>>): string;
  /** Makes the object and returns what the service added. Throws Incomplete where it exists but is not as planned. */
  create(planned: Config<T>, context: Context<Client>): Promise<Computed<T>>;
  /** The object as it is now; undefined where it is gone. After an import only what `import` returned is known. */
  read(state: Partial<State<T>>, context: Context<Client>): Promise<State<T> | undefined>;
  /** Makes the object as planned and returns what the service added. */
  update(planned: Config<T>, prior: State<T>, context: Context<Client>): Promise<Computed<T>>;
  /**
   * Leaves nothing behind; an object that is gone already is a success. `successor` replaces this object. It is the new state if
   * this process has made it with the same identity. Otherwise, it is the identity, as far as it is known.
   */
  delete(state: State<T>, context: Context<Client>, successor?: Partial<State<T>>): Promise<void>;
  /** The attributes by which `read` finds the object that people name so. Throws a DiagnosticError for another form of name. */
  import(id: string, context: Context<Client>): Promise<Partial<State<T>>>;
  /**
   * Whether the service certainly no longer has the object. Asked before a destroy is reviewed, because some versions of Terraform plan to
   * destroy an object before they read it.
   */
  isGone?(prior: State<T>, client: Client): Promise<boolean>;
  /** The part of another object that an apply of this one must know. The process of an apply hears only of objects that change. */
  partOf?(other: Known, state: State<T>): Known | undefined;
  /**
   * Says what only the tenant or the other objects of the plan can tell about a change. Asked when it is planned, and
   * again right before it is written if it destroys the object or if the review failed.
   */
  review?(change: Change<T>, context: ReviewContext<Client>): Promise<void>;
  /** For each older schema version, from 0, the step that makes its stored state one of the next version. */
  readonly upgrades?: readonly Step[];
  /** By resource type of another provider: its stored state as ours. */
  readonly moves?: { readonly [sourceType: string]: Step };
}

/** A stored state in the shape of its version. */
export type Stored = { readonly [attribute: string]: unknown };
export type Step = (stored: Stored) => Stored;

/** Something to look up, changing nothing. */
export interface DataSource<Client, T extends Definition = Definition> {
  readonly definition: T;
  read(config: Config<T>, context: Context<Client>): Promise<Computed<T>>;
}

/** One object of the service. */
export interface Listed<T extends Definition = Definition> {
  /** Its name for people. */
  readonly title: string;
  /** As much of it as its identity needs, or more. */
  readonly known: Partial<State<T>>;
  /** All of it; undefined where it is gone meanwhile. */
  read(): Promise<State<T> | undefined> | State<T>;
}

export interface ListResource<Client, T extends Definition = Definition, Filter extends z.ZodObject = z.ZodObject> {
  /** The definition of the listed resource. */
  readonly definition: T;
  readonly description: string;
  /** The filters that the service offers. */
  readonly filter: Filter;
  /** The objects, each page asked for when the one before is used up. */
  list(filter: z.output<Filter>, context: Context<Client>): AsyncIterable<Listed<T>>;
}

export interface ProviderBlock<Client, Block extends z.ZodObject = z.ZodObject> {
  readonly config: Block;
  readonly rules?: readonly Rule[];
  /**
   * Makes the client from the provider block. Asks nothing of the network.
   * Throws a DiagnosticError for a mistake that stays, and returns undefined while a needed value is unknown.
   */
  configure(
    written: Written<Block>,
    about: { terraformVersion: string; log: Log },
  ): Client | undefined | Promise<Client | undefined>;
}

export interface Provider<Client extends { stop(): void }> {
  /** Prefix of every type name. */
  readonly name: string;
  readonly version: string;
  readonly block: () => Promise<ProviderBlock<Client>>;
  readonly resources: Lazy<Resource<Client>>;
  readonly dataSources: Lazy<DataSource<Client>>;
  /** By the name of the resource. */
  readonly lists?: Lazy<ListResource<Client>>;
  /** Tells the accounts of the service apart. Without it, every state fits every client. */
  readonly accounts?: Accounts<Client>;
  /** An error of the client in words for people. */
  explain(error: unknown): Explanation;
  /** Warnings about the work so far; each code is reported once. */
  warnings?(client: Client): readonly Omit<Diagnostic, "path">[];
}

export interface Explanation {
  /** Every request meets this error, such as a wrong secret, so it is reported once. */
  readonly isCommon?: boolean;
  /** Errors of one topic have one cause, such as a missing scope. A plan reports only the first of them. */
  readonly topic?: string;
  readonly code: Titled;
  readonly detail: string;
  readonly path?: Diagnostic["path"];
}

/** The work was done in part: this much of the state is so, the rest as planned. The cause is shown. */
export class Incomplete extends Error {
  constructor(
    readonly state: { readonly [attribute: string]: unknown },
    options: { cause: unknown },
  ) {
    super("the work was done in part", options);
  }
}

/** The account of the service that a state belongs to. Noted in private state. */
export interface Account {
  /** The same for all addresses of one account, and different for each account. */
  readonly id: string;
  /** How people name it. */
  readonly name: string;
}

export interface Accounts<Client> {
  /** The account, if it is known without an API call. */
  known(client: Client): Account | undefined;
  /** The account of the client. Gets credentials if there are none yet, as the next API call does. Undefined if they do not name it. */
  current(client: Client): Promise<Account | undefined>;
  /** From now on, the client sends no call to another account: a state was compared with this one. */
  stay(client: Client): void;
  /** Whether the person said that states may move to this account. */
  isExpected(client: Client, account: Account): boolean;
  /** The ways out of a mismatch with a state. */
  remedy(current: Account): string;
}
