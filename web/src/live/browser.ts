// The line of this tab, in a real browser.

import { Line, type Wire } from './line';

function open(): Wire {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const socket = new WebSocket(`${scheme}://${location.host}/api/v1/socket`);
  const wire: Wire = {
    send: (text) => socket.send(text),
    close: () => socket.close(),
    onopen: null,
    onmessage: null,
    onclose: null,
  };
  socket.onopen = () => wire.onopen?.();
  socket.onmessage = (event) => wire.onmessage?.({ data: event.data as unknown });
  socket.onclose = (event) => wire.onclose?.({ code: event.code });
  return wire;
}

export const line = new Line({
  open,
  now: () => performance.now(),
  random: () => Math.random(),
  later(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
});

addEventListener('online', () => line.check());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') line.check();
});
