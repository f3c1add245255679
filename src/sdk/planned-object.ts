/** One object of a plan, as its review sees it among the other planned objects. */
import type { Definition, Identity, Planned, State } from "./definition";
import type { Gathering } from "./gathering";

/** A value that a tenant has only once: `["priority", 7]`. */
export type Claim = readonly [kind: string, ...parts: (string | number)[]];

/**
 * A plan once an object was read, a destroy if the process plans a deletion and reads nothing, an apply once an object is written;
 * otherwise unknown: the plan of new objects alone, or the process that is about to create them.
 */
export type Phase = "plan" | "destroy" | "apply" | undefined;

export interface PlannedObject<T extends Definition = Definition> extends Pick<Gathering, "gathered"> {
  readonly phase: Phase;
  /** Whether this process has met no other object, so that it cannot know whether Terraform makes more than one call at a time. */
  isAlone(): boolean;
  /** Kept in the private state of the object. */
  readonly objectKey: string;
  /**
   * Claims a unique value for this object. Returns the title of another object that has claimed it. Objects that share a
   * claim do not exclude each other.
   */
  claim(claim: Claim, title: string, options?: { readonly shared?: boolean }): string | undefined;
  /** Whether no other object has asked about the topic, so that one object reports for the whole plan. */
  isFirst(topic: string): boolean;
  /** Attaches a value to this object, as long as the object is planned. */
  attach(topic: string, value: unknown): void;
  /** The values that objects of the plan have for a topic. */
  attached(topic: string): readonly unknown[];
  /** An object of the same kind and content that the plan destroys while it creates this one, or creates while it destroys this one. */
  counterpart(content: object): { readonly identity?: Identity | undefined } | undefined;
  /** The planned changes of this kind so far; with `kept`, also the objects that stay as they are. */
  changes(options?: { readonly kept?: boolean }): readonly PlannedChange<T>[];
  changesOf(kind: string, options?: { readonly kept?: boolean }): readonly PlannedChange[];
  /** Whether the plan has read or planned this object of the same kind, so its own review checks it. */
  knows(identity: Identity): boolean;
  /** Notes that the plan of the object is complete. */
  planned(): void;
}

export interface PlannedChange<T extends Definition = Definition> {
  /** Identity of the existing object. */
  readonly identity?: Partial<State<T>>;
  /** Undefined if the plan destroys the object. */
  readonly planned?: Planned<T>;
}
