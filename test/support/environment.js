/**
 * jest's environment of Node with plain globals. jest puts a proxy before each read of a global, with which Node's own code is as fast and
 * ours takes a fifth longer. Nor do the authorities of the machine concern a test: to parse them takes 90 ms for each client of a tenant.
 */
const vm = require("node:vm");

const { createContext } = vm;
vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
delete process.env.SSL_CERT_FILE;

module.exports = require("jest-environment-node").TestEnvironment;
