/** Keys of signatures to look at: one by id or name, and all of the tenant; never their material. */
import * as z from "zod";
import { attributePath } from "../../cty/path";
import { attribute, listOf, rule } from "../../sdk/attribute";
import { define } from "../../sdk/definition";
import { DiagnosticError } from "../../sdk/diagnostic";
import type { DataSource } from "../../sdk/resource";
import type { Client } from "../client";
import { networkAclKey } from "./definition";

const facts = {
  alg: attribute(z.string(), "The algorithm."),
  fingerprint: attribute(z.string(), "SHA-256 of the material in hexadecimal."),
  created_at: networkAclKey.computed.shape.created_at,
  updated_at: networkAclKey.computed.shape.updated_at,
};

const config = z.object({
  id: attribute(z.string().optional(), "Id of the key. Give either `id` or `name`.", {
    derived: true,
    example: "key_8mJ2rTqZsWv5nYxB4cKdEf",
  }),
  name: attribute(z.string().optional(), "Name of the key.", { derived: true, example: "edge-2026" }),
});

const one = define({
  name: "network_acl_key",
  description: "A key of HTTP message signatures, by its id or name. Unmanaged keys are included. Early Access.",
  config,
  computed: z.object(facts),
  rules: [
    rule(config, ({ id, name }, report) => {
      if (id === undefined && name === undefined)
        report("Neither `id` nor `name` is given: give one of them.", attributePath("id"));
      if (id !== undefined && name !== undefined) {
        report("`id` and `name` exclude each other: remove one.", attributePath("name"));
      }
    }),
  ],
});

export const networkAclKeyDataSource: DataSource<Client, typeof one> = {
  definition: one,
  async read({ id, name }, { client }) {
    const { networkAclKeys } = client.tenant;
    const found =
      id !== undefined ? await networkAclKeys.get(id) : (await networkAclKeys.list()).find((key) => key.name === name);
    if (found) return found;
    const [key, value] = id !== undefined ? ["id", id] : ["name", name];
    throw new DiagnosticError(
      "TNF-NO-KEY",
      `The tenant has no network ACL key whose ${key} is ${JSON.stringify(value)}. Check the ${key}.`,
      attributePath(key!),
    );
  },
};

const all = define({
  name: "network_acl_keys",
  description: "All keys of HTTP message signatures of the tenant, including unmanaged keys. Early Access.",
  config: z.object({}),
  computed: z.object({
    network_acl_keys: attribute(
      listOf(
        z.object({
          id: networkAclKey.computed.shape.id,
          name: attribute(z.string(), "Name of the key."),
          ...facts,
        }),
      ),
      "The keys, sorted by name.",
    ),
  }),
});

export const networkAclKeysDataSource: DataSource<Client, typeof all> = {
  definition: all,
  async read(_filter, { client }) {
    const found = await client.tenant.networkAclKeys.list();
    return { network_acl_keys: found.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
  },
};
