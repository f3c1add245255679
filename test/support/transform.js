/** Lets jest read TypeScript, and packages that are ES modules. Lines keep their numbers, and calls of jest.mock move to the top. */
const { transform } = require("sucrase");

const options = { transforms: ["imports", "typescript", "jest"], disableESTransforms: true };

exports.process = (code, filePath) => transform(code, { ...options, filePath });
