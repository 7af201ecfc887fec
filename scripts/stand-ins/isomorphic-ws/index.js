export const WebSocket = globalThis.WebSocket;
