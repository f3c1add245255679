/** One object of a plan, as its review sees it: among all others that the plan changes. */
import type { Definition, Identity, Planned, State } from "./definition";
import type { Gathering } from "./gathering";

/** What a tenant has only once: `["priority", 7]`. */
export type Claim = readonly [kind: string, ...parts: (string | number)[]];

/** What Terraform is about, as far as it can be told: by its command, and as only plans read objects, only applies write them. */
export type Phase = "plan" | "apply" | undefined;

export interface PlannedObject<T extends Definition = Definition> extends Pick<Gathering, "gathered" | "settled"> {
  readonly phase: Phase;
  /** Kept beside the object's state. */
  readonly objectKey: string;
  /**
   * Says that something of which there can be one belongs to this object, and returns the title of another that claims
   * it. Those who share a claim get along with each other.
   */
  claim(claim: Claim, title: string, options?: { readonly shared?: boolean }): string | undefined;
  /** Whether no other object has said this: what concerns a whole plan is said by one. */
  isFirst(topic: string): boolean;
  /** One of the same kind and content that goes while this comes, or comes while this goes. */
  counterpart(content: object): { readonly identity?: Identity } | undefined;
  /** The planned changes of this kind so far; with `kept`, also the objects that stay as they are. */
  changes(options?: { readonly kept?: boolean }): readonly PlannedChange<T>[];
  /** The same of another kind. */
  changesOf(kind: string): readonly PlannedChange[];
  /** Whether this plan knows the object of this kind: it is managed, and what becomes of it is for its own review to judge. */
  knows(identity: Identity): boolean;
  /** The plan of the object is made. */
  answered(): void;
}

export interface PlannedChange<T extends Definition = Definition> {
  /** Of the object that exists. */
  readonly identity?: Partial<State<T>>;
  /** What it becomes; undefined where it goes. */
  readonly planned?: Planned<T>;
}
