import type { CommandInput } from '../admin/admin-command.js';
import type { Config, Secrets } from '../config/config.js';
import { loadEnvFile } from '../env-file.js';
import { configOrExit } from '../process-lifecycle.js';

/** What a command prints, and its exit code. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command gets from its process. */
export interface CommandProcess {
  /** Returns the settings. A command with invalid arguments ends before it reads them. */
  readSettings(): { readonly config: Config; readonly secrets: Secrets };
  readonly input: CommandInput['input'];
}

/** Runs a command with the arguments, settings and standard input of this process. Sets the exit code. */
export async function runAsProcess(
  run: (args: readonly string[], context: CommandProcess) => Promise<CommandResult>,
): Promise<void> {
  const readSettings = () => {
    loadEnvFile();
    return configOrExit(process.env);
  };
  const context = {
    readSettings,
    // A command that reads /dev/stdin as a file does not open it.
    get input() {
      return process.stdin;
    },
  };
  const { code, stdout, stderr } = await run(process.argv.slice(2), context);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = code;
}
