/** Terraform's types, in the JSON form in which Terraform itself writes them. */
export type Type =
  | "string"
  | "number"
  | "bool"
  | "dynamic"
  | readonly ["list" | "set" | "map", Type]
  | readonly ["tuple", readonly Type[]]
  | readonly ["object", { readonly [attribute: string]: Type }];

/** The bytes of a type as the protocol carries them. */
export function encodeType(type: Type): Uint8Array {
  return Buffer.from(JSON.stringify(type));
}

/** The type that the bytes say; the optional-attribute list of an object type is of no interest here. */
export function decodeType(bytes: Uint8Array): Type {
  return JSON.parse(Buffer.from(bytes).toString()) as Type;
}

/** A type as people write it in a variable declaration: `set(string)`, `object({ id = string })`. */
export function typeName(type: Type): string {
  if (typeof type === "string") return type === "dynamic" ? "any" : type;
  if (type[0] === "tuple") return `tuple([${type[1].map(typeName).join(", ")}])`;
  if (type[0] !== "object") return `${type[0]}(${typeName(type[1])})`;
  const attributes = Object.entries(type[1]).map(([name, attribute]) => `${name} = ${typeName(attribute)}`);
  return `object({ ${attributes.join(", ")} })`;
}
