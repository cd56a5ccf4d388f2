/**
 * A page of Firefox or WebKit from the packages of the system, driven by the commands of W3C WebDriver. Firefox takes
 * them over its own protocol, Marionette, and WebKit over HTTP from its driver.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { until } from '../../support/crowd.js';
import { freePort } from '../../support/programs.js';

/** What the journeys use of a page, by the names of Playwright. Each method waits for the element that it needs. */
export interface EnginePage {
  goto(url: string): Promise<unknown>;
  goBack(): Promise<unknown>;
  url(): string | Promise<string>;
  click(selector: string): Promise<void>;
  fill(selector: string, text: string): Promise<void>;
  inputValue(selector: string): Promise<string>;
  textContent(selector: string): Promise<string | null>;
  waitForSelector(selector: string): Promise<unknown>;
}

/** A browser with its own profile and one page. Disposal ends its processes. */
export interface EngineBrowser extends AsyncDisposable {
  readonly page: EnginePage;
}

/** Method and path of each command over HTTP. Marionette takes the name. */
const COMMANDS = {
  NewSession: ['POST', ''],
  Navigate: ['POST', '/{session}/url'],
  GetCurrentURL: ['GET', '/{session}/url'],
  Back: ['POST', '/{session}/back'],
  FindElement: ['POST', '/{session}/element'],
  ElementClick: ['POST', '/{session}/element/{id}/click'],
  ElementClear: ['POST', '/{session}/element/{id}/clear'],
  ElementSendKeys: ['POST', '/{session}/element/{id}/value'],
  ExecuteScript: ['POST', '/{session}/execute/sync'],
  GetElementProperty: ['GET', '/{session}/element/{id}/property/{name}'],
} as const;
type Command = keyof typeof COMMANDS;
type Fields = Readonly<Record<string, string | object>>;
/** Sends a command with its fields. Throws the error of the browser. */
type Send = (command: Command, fields: Fields) => Promise<Readonly<Record<string, unknown>>>;

const WAIT_MS = 30_000;
/** Errors of an element that is not there yet, or no longer. The command is sent again. */
const LOADING = /no such element|stale element|not interactable|click intercepted|no such window|discarded/;

/** A click on a page that is still loading can miss, because styles move the elements. */
const LOADED = 'return document.readyState === "complete"';
const CENTER = 'arguments[0].scrollIntoView({ block: "center", behavior: "instant" })';
/** The driver of 2.50 answers no command after Back to a page that `Cross-Origin-Opener-Policy` put into another process. */
const NO_SWAP = '--features=-CrossOriginOpenerPolicy';

/** Opens Firefox. */
export async function openFirefox(program: string, javaScript: boolean): Promise<EngineBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'tianguis-firefox-'));
  const preferences = { 'marionette.port': 0, 'javascript.enabled': javaScript };
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${value});\n`);
  writeFileSync(join(profile, 'user.js'), lines.join(''));
  const browser = start(program, ['--headless', '--marionette', '--profile', profile]);
  const portFile = join(profile, 'MarionetteActivePort');
  await until(() => existsSync(portFile) && readFileSync(portFile, 'utf8') !== '');
  const send = await overMarionette(Number(readFileSync(portFile, 'utf8')));
  await send('NewSession', {});
  return {
    page: pageOf(send),
    async [Symbol.asyncDispose]() {
      await end(browser);
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Opens WebKit on a virtual display. */
export async function openWebKit(program: string, javaScript: boolean): Promise<EngineBrowser> {
  const display = start('Xvfb', ['-displayfd', '1', '-nolisten', 'tcp'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const number = await new Promise((resolve) => display.stdout?.once('data', resolve));
  const port = await freePort();
  const env = { ...process.env, DISPLAY: `:${String(number).trim()}`, GDK_BACKEND: 'x11' };
  const driver = start(program, [`--port=${port}`], { env });
  const sessions = `http://127.0.0.1:${port}/session`;
  const isReady = () =>
    fetch(sessions).then(
      () => true,
      () => false,
    );
  await until(isReady);
  const send = overHttp(sessions);
  const args = ['--automation', NO_SWAP, `--enable-javascript=${javaScript}`];
  await send('NewSession', { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { args } } } });
  return {
    page: pageOf(send),
    async [Symbol.asyncDispose]() {
      await end(driver);
      await end(display);
    },
  };
}

const running = new Set<ChildProcess>();
// A browser that did not start has no disposal.
afterAll(() => {
  for (const child of running) child.kill();
});

function start(program: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const child = spawn(program, args, { stdio: 'ignore', ...options });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return;
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}

/** A message is its length, a colon and JSON: `[0, id, command, fields]`, or `[1, id, error, result]`. */
async function overMarionette(port: number): Promise<Send> {
  const socket = connect(port, '127.0.0.1');
  const replies = new Map<number, readonly unknown[]>();
  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const start = received.indexOf(':') + 1;
      const stop = start + Number(received.subarray(0, start - 1));
      if (start === 0 || received.length < stop) return;
      const message = JSON.parse(received.toString('utf8', start, stop));
      if (Array.isArray(message)) replies.set(message[1], message);
      received = received.subarray(stop);
      socket.emit('message');
    }
  });
  await once(socket, 'message');
  let id = 0;
  return async (command, fields) => {
    id += 1;
    const message = JSON.stringify([0, id, `WebDriver:${command}`, fields]);
    socket.write(`${Buffer.byteLength(message)}:${message}`);
    while (!replies.has(id)) await once(socket, 'message');
    const [, , error, result] = replies.get(id) ?? [];
    if (error) throw new Error(JSON.stringify(error));
    return Object(result);
  };
}

function overHttp(sessions: string): Send {
  const known: Record<string, string> = {};
  return async (command, fields) => {
    const [method, path] = COMMANDS[command];
    const address = sessions + path.replace(/\{(\w+)\}/g, (_, name) => String(known[name] ?? fields[name]));
    const body = method === 'POST' ? JSON.stringify(fields) : null;
    const response = await fetch(address, { method, body });
    const result = Object(await response.json());
    if (!response.ok) throw new Error(JSON.stringify(result.value));
    if (command === 'NewSession') known['session'] = result.value.sessionId;
    return result;
  };
}

function pageOf(send: Send): EnginePage {
  /** Finds the element and sends the commands to it, until the page lets them through. */
  async function onElement(selector: string, ...commands: readonly (readonly [Command, Fields?])[]): Promise<unknown> {
    let value: unknown;
    let problem: unknown;
    const isDone = async () => {
      try {
        const { value: loaded } = await send('ExecuteScript', { script: LOADED, args: [] });
        if (loaded !== true) return false;
        const { value: element } = await send('FindElement', { using: 'css selector', value: selector });
        // WebKit does not scroll to an element whose edge is near that of the window, and then refuses to use it.
        await send('ExecuteScript', { script: CENTER, args: [element] });
        const [id] = Object.values(Object(element));
        for (const [command, fields] of commands) ({ value } = await send(command, { id: String(id), ...fields }));
        return true;
      } catch (error) {
        if (!LOADING.test(String(error))) throw error;
        problem = error;
        return false;
      }
    };
    await until(isDone, { withinMs: WAIT_MS, everyMs: 20 }).catch((error: unknown) => {
      throw new Error(`${selector}: ${problem}`, { cause: error });
    });
    return value;
  }
  const property = async (selector: string, name: string) =>
    String(await onElement(selector, ['GetElementProperty', { name }]));
  return {
    goto: (url) => send('Navigate', { url }),
    goBack: () => send('Back', {}),
    url: async () => String((await send('GetCurrentURL', {}))['value']),
    click: async (selector) => void (await onElement(selector, ['ElementClick'])),
    fill: async (selector, text) => void (await onElement(selector, ['ElementClear'], ['ElementSendKeys', { text }])),
    inputValue: (selector) => property(selector, 'value'),
    textContent: (selector) => property(selector, 'textContent'),
    waitForSelector: (selector) => onElement(selector),
  };
}
