const FIELDS = /\s*,\s*/;
const ROWS = "\n";
module.exports = { FIELDS, ROWS };
