/** Lets jest read TypeScript, and packages that are ES modules. Lines keep their numbers, and calls of jest.mock move to the top. */
const { createHash } = require("node:crypto");
const { readFileSync } = require("node:fs");
const { transform } = require("sucrase");

const options = { transforms: ["imports", "typescript", "jest"], disableESTransforms: true };

exports.process = (code, filePath) => transform(code, { ...options, filePath });

/** Without it, jest transforms all files again for each set of its options. */
const own = readFileSync(__filename);
exports.getCacheKey = (code, filePath) =>
  createHash("sha1").update(own).update(filePath).update("\0").update(code).digest("hex");
