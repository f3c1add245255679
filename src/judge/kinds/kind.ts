/** Describes one kind of object that Tenantform manages: every name and rule that other rooms would otherwise list. */

/** The content of one object, by attribute. */
type Content = Readonly<Record<string, unknown>>;

export interface Kind {
  /** Name of the resource without the provider's prefix: `network_acl`. */
  readonly name: string;
  /** Type of the resource: `tenant_network_acl`. */
  readonly type: string;
  /** Types of the Go provider (`auth0_…`) for the same objects. */
  readonly goProvider: readonly GoProviderType[];
  /** Key of the objects in the files of auth0-deploy-cli, if it manages them. */
  readonly deployCli?: string;
  /** Class of the construct: `NetworkAcl`. */
  readonly construct: string;
  /** Noun for one object in messages: `network ACL`. */
  readonly noun: string;
  readonly plural: string;
  /** Added to a name if objects of two kinds want the same name: `acl`. */
  readonly shortNoun: string;
  /** How the service names the collection, in scopes and in JSON: `network_acls`. */
  readonly family: string;
  /** Where the Management API has the objects: `/network-acls`. */
  readonly path: string;
  /** The action of a plan -> the verbs of the scopes that it needs besides `read`. */
  readonly scopes: Readonly<Record<"create" | "update" | "delete", readonly Verb[]>>;
  readonly identity: Identity;
  /** Attributes whose values, taken together, the tenant has only once. */
  readonly uniqueKey: readonly string[];
  /** The most objects that a tenant may have. Left out: there may be many. */
  readonly most?: number;
  /** The family whose objects alone give the objects of this kind an effect: a key does nothing without an ACL that names it. */
  readonly actsThrough?: string;
  /** The data source that reads all objects of the kind, or one list. */
  readonly dataSource: ListDataSource;
  /** Attributes that people write. A test compares them with the definition. */
  readonly attributes: readonly string[];
  /** What a review reads inside a block. Other attributes of the block count as not read. */
  readonly blocks?: Readonly<Record<string, readonly string[]>>;
  /** The list of an object that consists of nothing else. */
  readonly list?: List;
  /** The write-only attribute that the service never returns, and its noun in a sentence. */
  readonly secret?: { readonly attribute: string; readonly noun: string };
  /** Attributes that the provider derives if the other attribute is set: `name` from `name_prefix`. */
  readonly derived?: Readonly<Record<string, string>>;
  /** Noun for the feature if it is in Early Access. */
  readonly earlyAccess?: string;
  /** How `tenantform adopt` writes the objects down. */
  readonly adoption: Adoption;
}

export type Verb = "create" | "update" | "delete";

export interface GoProviderType {
  readonly type: string;
  /** Each resource holds one entry of the list. `adopt` joins the resources of one object. */
  readonly entry?: string;
}

interface Identity {
  /** The attribute that holds the id. */
  readonly attribute: string;
  /** Noun for the thing that the id names: the members of an organization have the id of the organization. */
  readonly noun: string;
  /** First characters of every id: `acl_`. */
  readonly prefix: string;
}

interface ListDataSource {
  readonly type: string;
  /** The attribute with the objects. Without it, the data source reads the list of one object. */
  readonly objects?: string;
  /** Attributes that restrict what the data source reads. */
  readonly filters: readonly string[];
}

interface List {
  readonly attribute: string;
  /** Noun for one entry. */
  readonly noun: string;
  /** If this attribute is false, the object leaves other entries alone, and an import id must name its entries. */
  readonly exclusive: string;
}

interface Adoption {
  /** Value of `--only`. */
  readonly option: string;
  /** Words of the file name. */
  readonly file: readonly string[];
  /** First sentence of the file. */
  readonly head: string;
  /** Sorts the objects by this attribute; default: by title. */
  readonly order?: string;
  /** Names the resource. `title` is the name that the service gives the object. */
  suggest(content: Content, title: string): NameSuggestion;
}

/** Texts from which `adopt` makes a name. */
export interface NameSuggestion {
  /** The first text with a letter or digit is used. */
  readonly texts: readonly string[];
  /** Keeps the case of letters, for ids that people search for. */
  readonly keepsCase?: true;
  /** Tell objects with the same text apart; the best first. */
  readonly marks: readonly string[];
}

/** The text of an attribute; empty if it has no text or number. */
export const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";
