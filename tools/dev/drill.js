// Builds, then runs the drill in the same process.
const PARENT_CHECK_MS = 100;

// npm signals the shell that it starts between itself and this process. The shell ends without forwarding the signal.
const shell = process.ppid;
setInterval(() => {
  if (process.ppid !== shell) process.kill(process.pid, 'SIGTERM');
}, PARENT_CHECK_MS).unref();

await import('./build.js');
if (!process.exitCode) await import(new URL('../../dist/tools/drill/main.js', import.meta.url).href);
