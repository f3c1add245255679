/** Entry for the bare name of the package: loads the constructs for the installed library, or for cdktf if both are installed. */

function isInstalled(library: string): boolean {
  try {
    return Boolean(require.resolve(library));
  } catch {
    return false;
  }
}

const isThere = { cdktf: isInstalled("cdktf"), cdktn: isInstalled("cdktn") };
if (!isThere.cdktf && !isThere.cdktn) {
  throw new Error(
    "The constructs of tenantform need the CDK of Terraform: npm install cdktn constructs (or cdktf constructs).",
  );
}
// Literal paths, because a bundler follows no others. Most bundlers take the entry `module` of package.json, which is for cdktf.
module.exports = isThere.cdktf ? require("./index") : require("../cdktn/index");
// Never run. ES modules learn from this text which names they can import.
if (!isThere.cdktf && !isThere.cdktn) module.exports = require("./index");
