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
export interface CommandProcess extends Pick<CommandInput, 'input'> {
  /** Returns the settings. A command with invalid arguments ends before it reads them. */
  readSettings(): { readonly config: Config; readonly secrets: Secrets };
}

/** Runs a command with the arguments, settings and standard input of this process. Sets the exit code. */
export async function runAsProcess(
  run: (args: readonly string[], context: CommandProcess) => Promise<CommandResult>,
): Promise<void> {
  const readSettings = () => {
    loadEnvFile();
    return configOrExit(process.env);
  };
  const { code, stdout, stderr } = await run(process.argv.slice(2), { readSettings, input: () => process.stdin });
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = code;
}
