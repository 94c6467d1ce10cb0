const FIELDS = /\s*[,\t]\s*/;
const ROWS = "\r\n";
module.exports = { FIELDS, ROWS };
