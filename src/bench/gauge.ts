/** Loaded into a measured program before its own code: tells what it costs, on a port of its own. */
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What a process has used since it started, and how late its event loop was since the last reading. */
export interface Reading {
  readonly cpuMs: number;
  readonly residentBytes: number;
  readonly loopDelayP99Ms: number;
}

const NANOSECONDS = 1e6;
const MICROSECONDS = 1e3;
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();

createServer((_req, res) => {
  const { user, system } = process.cpuUsage();
  const reading: Reading = {
    cpuMs: (user + system) / MICROSECONDS,
    residentBytes: process.memoryUsage.rss(),
    loopDelayP99Ms: delay.percentile(99) / NANOSECONDS,
  };
  delay.reset();
  res.setHeader('Content-Type', 'application/json').end(JSON.stringify(reading));
})
  .listen(Number(process.env['GAUGE_PORT']), '127.0.0.1')
  .unref();
