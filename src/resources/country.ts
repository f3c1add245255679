/** The countries, for definitions. */
export { countries, countryMeantBy, countryNames } from "../access/access";
