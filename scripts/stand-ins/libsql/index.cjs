// Installed for tests and benches alone. A libSQL server is reached by HTTP, which needs no native library.
module.exports = require('libsql-native');
