// Lists the tenants of the last synth for the matrix of the workflow.
const { stacks } = require("./cdktf.out/manifest.json");

const tenants = Object.entries(stacks).map(([name, { synthesizedStackPath }]) => {
  const { provider } = require(`./cdktf.out/${synthesizedStackPath}`);
  return { name, prefix: provider.tenant[0].environment_prefix };
});
console.log(`tenants=${JSON.stringify(tenants)}`);
