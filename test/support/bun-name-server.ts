import { setServers } from 'node:dns';

// Loaded before the entry, because only root can change the name servers of the operating system.
setServers([process.env['NAME_SERVER'] ?? '']);
