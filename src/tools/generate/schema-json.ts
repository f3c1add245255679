/** The provider's schema in the form of `terraform providers schema -json`, without a Terraform. */
import { decodeType, type Type } from "../../cty/type";
import type { ProviderHandlers } from "../../plugin/handlers";
import {
  Schema_NestedBlock_NestingMode as BlockNesting,
  Schema_Object_NestingMode as Nesting,
  type Schema,
  type Schema_Attribute,
  type Schema_Block,
  type Schema_NestedBlock,
  type Schema_Object,
} from "../../plugin/protocol/tfplugin6";

type Flag = "optional" | "required" | "computed" | "sensitive" | "deprecated" | "write_only";
type Described = { readonly description?: string; readonly description_kind: "plain" };

export interface SchemaJson {
  readonly format_version: "1.0";
  readonly provider_schemas: {
    readonly [source: string]: {
      readonly provider: EntityJson;
      readonly resource_schemas: { readonly [typeName: string]: EntityJson };
      readonly data_source_schemas: { readonly [typeName: string]: EntityJson };
    };
  };
}

export interface EntityJson {
  readonly version: number;
  readonly block: BlockJson;
}

export interface BlockJson extends Described {
  readonly attributes?: AttributesJson;
  readonly block_types?: { readonly [name: string]: NestedBlockJson };
}

export interface NestedBlockJson {
  readonly nesting_mode: string;
  readonly block: BlockJson;
  readonly min_items?: number;
  readonly max_items?: number;
}

export type AttributesJson = { readonly [name: string]: AttributeJson };
export type AttributeJson = Described & { readonly [flag in Flag]?: true } & {
  readonly type?: Type;
  readonly nested_type?: { readonly attributes: AttributesJson; readonly nesting_mode: string };
};

/** The schema that the provider gives to Terraform, by the provider's full source address. */
export async function schemaJson(
  source: string,
  { getProviderSchema }: Pick<ProviderHandlers, "getProviderSchema">,
): Promise<SchemaJson> {
  const response = await getProviderSchema?.({});
  if (!response || response instanceof Uint8Array || !response.provider) throw new Error("the provider has no schema");
  return {
    format_version: "1.0",
    provider_schemas: {
      [source]: {
        provider: entity(response.provider),
        resource_schemas: sorted(response.resourceSchemas ?? {}, entity),
        data_source_schemas: sorted(response.dataSourceSchemas ?? {}, entity),
      },
    },
  };
}

function entity({ version = 0, block }: Schema): EntityJson {
  return { version, block: blockJson(block) };
}

function blockJson({ attributes = [], blockTypes = [], description }: Schema_Block = {}): BlockJson {
  const blocks = Object.fromEntries(blockTypes.map((block) => [block.typeName ?? "", block]));
  return {
    ...(attributes.length > 0 && { attributes: attributesJson(attributes) }),
    ...(blockTypes.length > 0 && { block_types: sorted(blocks, nestedBlock) }),
    ...described(description),
  };
}

function nestedBlock({ block, nesting = 0, minItems, maxItems }: Schema_NestedBlock): NestedBlockJson {
  return {
    nesting_mode: BlockNesting[nesting].toLowerCase(),
    block: blockJson(block),
    ...(minItems && { min_items: minItems }),
    ...(maxItems && { max_items: maxItems }),
  };
}

function attributesJson(attributes: readonly Schema_Attribute[] = []): AttributesJson {
  return sorted(Object.fromEntries(attributes.map((attribute) => [attribute.name ?? "", attribute])), attributeJson);
}

function attributeJson(attribute: Schema_Attribute): AttributeJson {
  const { type, nestedType, description, optional, required, computed, sensitive, deprecated, writeOnly } = attribute;
  const flags = { required, optional, computed, sensitive, deprecated, write_only: writeOnly };
  const set = Object.entries(flags).flatMap(([flag, on]) => (on ? [[flag, true]] : []));
  return {
    ...(nestedType ? { nested_type: nested(nestedType) } : { type: decodeType(type!) }),
    ...described(description),
    ...(Object.fromEntries(set) as { [flag in Flag]?: true }),
  };
}

function nested({ attributes, nesting = Nesting.INVALID }: Schema_Object) {
  return { attributes: attributesJson(attributes), nesting_mode: Nesting[nesting].toLowerCase() };
}

function described(description: string | undefined): Described {
  return { ...(description ? { description } : {}), description_kind: "plain" };
}

/** Sorted by name, like Terraform. */
export function sorted<From, To>(entries: { readonly [name: string]: From }, convert: (entry: From) => To) {
  const inOrder = Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(inOrder.map(([name, entry]): [string, To] => [name, convert(entry)]));
}
