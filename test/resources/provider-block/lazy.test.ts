/** The provider loads each resource, data source and list on demand. */
import { tenantProvider } from "../../../src/resources/provider";

test("registers each part under the name of its definition", async () => {
  const { resources, dataSources, lists } = tenantProvider("0.0.0-test", {});
  for (const parts of [resources, dataSources, lists!]) {
    const names = Object.keys(parts);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect((await parts[name]!()).definition.name).toBe(name);
  }
});
